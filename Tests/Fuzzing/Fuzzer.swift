import Glibc

/// One reader of Tokentry, and what has to hold of it whatever it reads.
struct Room: Sendable {
  let name: String
  /// Longer inputs lead nowhere that shorter ones do not, and take longer.
  let longest: Int
  /// How many inputs it sees in a short run.
  var few = 2_000
  /// Inputs that grow, by what grows in them: reading one that is eight times as large may take eight times as long.
  var growing: [(name: String, input: @Sendable (Int) -> [UInt8])] = []
  /// Reads an input, and ends the program where something does not hold.
  let read: @Sendable ([UInt8]) -> Void
}

/// Ends the program, so that libFuzzer keeps the input.
func demand(_ holds: Bool, _ sentence: @autoclosure () -> String) {
  if !holds { fatalError("this does not hold: \(sentence())") }
}

/// The value of what has to have one.
func demand<Value>(_ value: Value?, _ sentence: @autoclosure () -> String) -> Value {
  guard let value else { fatalError("this does not hold: \(sentence())") }
  return value
}

/// What libFuzzer calls.
private enum Fuzzer {
  /// The room that the environment names.
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

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutablePointer<CInt>, _ words: UnsafeMutableRawPointer) -> CInt {
  _ = Fuzzer.room
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: size))
  Turn.begin(bytes)
  Fuzzer.room.read(bytes)
  return 0
}
