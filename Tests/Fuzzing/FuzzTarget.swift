import Glibc

/// An entry point of libFuzzer: readers of one kind of input. All of them read each input.
struct FuzzTarget: Sendable {
  let name: String
  /// The limit for the length of an input. Longer ones find no more, and take longer.
  let longest: Int
  let checks: [Check]

  static let all = [
    FuzzTarget(name: "addresses", longest: 256, checks: [.addresses, .names]),
    FuzzTarget(name: "redirect", longest: 512, checks: [.redirect]),
    FuzzTarget(name: "callback", longest: 1_024, checks: [.callback, .forms]),
    FuzzTarget(name: "json", longest: 1_024, checks: [.json]),
    FuzzTarget(name: "answers", longest: 1_024, checks: [.answers, .token, .discovery]),
    FuzzTarget(name: "signatures", longest: 1_536, checks: [.jws, .keys, .claims]),
    FuzzTarget(name: "challenge", longest: 512, checks: [.challenge]),
    FuzzTarget(name: "documents", longest: 3_072, checks: [.accounts, .preset, .window]),
    FuzzTarget(name: "html", longest: 512, checks: [.html]),
    FuzzTarget(name: "texts", longest: 512, checks: [.display, .redaction]),
    FuzzTarget(name: "request", longest: 1_024, checks: [.request]),
    FuzzTarget(name: "helpers", longest: 512, checks: [.helpers, .git]),
    FuzzTarget(name: "listener", longest: 1_024, checks: [.listener]),
    FuzzTarget(name: "gate", longest: 512, checks: [.gate]),
  ]

  func read(_ bytes: [UInt8]) {
    SlowChecks.choose(by: bytes)
    for check in checks { check.read(bytes) }
  }
}

/// A reader of Tokentry, and the properties that hold for every input.
struct Check: Sendable {
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
  /// The target that the environment names. Without a name, this lists all targets and ends the program.
  static let target: FuzzTarget = {
    guard let name = getenv("TOKENTRY_FUZZ_TARGET").map({ String(cString: $0) }),
      let target = FuzzTarget.all.first(where: { $0.name == name })
    else {
      for target in FuzzTarget.all { print(target.name, target.longest) }
      exit(0)
    }
    if getenv("TOKENTRY_FUZZ_SCALE") != nil { exit(Scaling.judge(target)) }
    return target
  }()
}

/// libFuzzer calls this once at the start.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutablePointer<CInt>, _ words: UnsafeMutableRawPointer) -> CInt {
  _ = Fuzzer.target
  return 0
}

/// libFuzzer calls this with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  Fuzzer.target.read(Array(UnsafeBufferPointer(start: start, count: size)))
  return 0
}
