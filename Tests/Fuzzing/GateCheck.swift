@testable import LoginCore
@testable import tokentry

extension Check {
  /// The head of a request to a gate. What is passed on has one reading, and leads to no other place than the gate is for.
  static let gate = Check(growing: [
    ("fields", { pieces($0, from: "GET /v1 HTTP/1.1\r\n") { "A\($0): b\r\n" } }),
    ("commas", { pieces($0, from: "GET /v1 HTTP/1.1\r\nConnection: ") { _ in "a," } }),
    ("steps", { pieces($0, from: "GET /v1") { _ in "/a" } }),
    ("escapes", { pieces($0, from: "GET /v1") { _ in "%2e" } }),
  ]) { bytes in
    // As the connection reads it: up to an empty line, without line feeds.
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
      .prefix { $0 != [0x0D] }
    guard let request = try? GateRequest(Array(lines)) else { return }
    let sent = request.fields.passedOn(without: [])
    for field in request.fields {
      require(
        !(field.name + field.value).utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 },
        "a field is one line: \(field)")
    }
    for name in ["transfer-encoding", "content-length", "connection", "te", "trailer"] {
      require(!sent.contains { $0.name.lowercased() == name }, "\(name) ends at the gate")
    }
    let lengths = request.fields.filter { $0.name.lowercased() == "content-length" }
    let codings = request.fields.filter { $0.name.lowercased() == "transfer-encoding" }
    require(lengths.count + codings.count <= 1, "one field says where the body ends")
    require(request.body == .chunks || codings.isEmpty, "chunks are read as chunks")
    let gate = Gate(
      server: require(try? Endpoint(parsing: "https://api.example/v1"), "an address"), door: nil,
      passesWellKnown: false)
    guard let destination = (try? gate.destination(of: request))?.description else { return }
    let start = "https://api.example/v1"
    require(destination.hasPrefix(start), "\(destination) is below the gate's address")
    let path = destination.dropFirst(start.utf8.count).prefix { $0 != "?" }
    require(path.isEmpty || path.hasPrefix("/"), "\(destination) is below the gate's path")
    let steps = PercentEncoding.decode(String(path), brokenEscapes: .kept)?
      .split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    require(
      steps?.contains { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) } == false,
      "\(destination) has no dots that lead elsewhere")
  }
}
