import Glibc

/// A fuzz target: one reader of Tokentry, and the properties that hold for every input.
struct Room: Sendable {
  let name: String
  /// The limit for the length of an input. Longer ones find no more, and take longer.
  let longest: Int
  /// The number of inputs in a short run.
  var few = 2_000
  /// Inputs of a given size, by the part that grows. Reading an input that is eight times as large may take eight times
  /// as long.
  var growing: [(name: String, input: @Sendable (Int) -> [UInt8])] = []
  /// Reads an input. Ends the program if a property does not hold.
  let read: @Sendable ([UInt8]) -> Void
}

/// Ends the program unless a property holds. libFuzzer then keeps the input.
func require(_ holds: Bool, _ property: @autoclosure () -> String) {
  if !holds { fatalError("this does not hold: \(property())") }
}

/// Returns the value of an optional, or ends the program if it is nil.
func require<Value>(_ value: Value?, _ property: @autoclosure () -> String) -> Value {
  guard let value else { fatalError("this does not hold: \(property())") }
  return value
}

private enum Fuzzer {
  /// The room that the environment names. Without a name, this lists all rooms and ends the program.
  static let room: Room = {
    guard let name = getenv("TOKENTRY_FUZZ_ROOM").map({ String(cString: $0) }),
      let room = Rooms.all.first(where: { $0.name == name })
    else {
      for room in Rooms.all { print(room.name, room.longest, room.few) }
      exit(0)
    }
    if getenv("TOKENTRY_FUZZ_SCALE") != nil { exit(Scaling.judge(room)) }
    return room
  }()
}

/// libFuzzer calls this once at the start.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutablePointer<CInt>, _ words: UnsafeMutableRawPointer) -> CInt {
  _ = Fuzzer.room
  return 0
}

/// libFuzzer calls this with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: size))
  SlowChecks.choose(by: bytes)
  Fuzzer.room.read(bytes)
  return 0
}
