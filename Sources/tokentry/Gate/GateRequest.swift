import LoginCore

/// The head of a request to a gate, read as strictly as the grammar allows (RFC 9112): a proxy that is generous may see
/// another request than the server behind it.
struct GateRequest: Sendable {
  enum Body: Sendable, Equatable {
    case none
    case length(Int)
    case chunks
  }

  let method: String
  /// The path as it came, with its escapes.
  let path: String
  /// The text after the first question mark, as it came.
  let query: String?
  let fields: ParameterList
  let body: Body
  /// True for HTTP/1.0, which has neither chunks nor interim answers.
  private(set) var isOld = false
  /// True if the client sends another request on the same connection.
  private(set) var keepsConnection = true
  /// True if the client waits with its body for a sign (RFC 9110 section 10.1.1).
  private(set) var expectsSign = false

  /// Reads the lines of a head, without their line feeds.
  init(_ lines: [[UInt8]]) throws(GateRefusal) {
    let texts = try lines.map(Self.text)
    let words = (texts.first ?? "").parts(at: " ")
    guard words.count == 3, Self.isToken(words[0]), ["HTTP/1.1", "HTTP/1.0"].contains(words[2]) else {
      throw .malformed("the first line is not one of HTTP/1.1")
    }
    (method, isOld) = (words[0], words[2] == "HTTP/1.0")
    if ["CONNECT", "TRACE"].contains(method) {
      throw GateRefusal(501, "a gate does not pass on this method")
    }
    (path, query) = try Self.target(words[1])
    fields = ParameterList(try texts.dropFirst().map(Self.field))
    body = try Self.body(fields, isOld: isOld)
    let connection = fields.members(of: "connection")
    keepsConnection = !isOld && !connection.contains("close")
    if let upgrade = fields.members(of: "upgrade").first, connection.contains("upgrade") {
      // Clients that offer HTTP/2 in this way go on with HTTP/1.1.
      guard upgrade == "h2c" else {
        throw GateRefusal(501, "a gate does not pass on WebSocket or other protocols than HTTP")
      }
    }
    let expected = fields.members(of: "expect")
    guard expected.isEmpty || expected == ["100-continue"] else {
      throw GateRefusal(417, "the only expectation that can be met is 100-continue")
    }
    expectsSign = !expected.isEmpty && !isOld && body != .none
  }

  /// The value of a field that is there once.
  func value(of name: String) -> String? {
    let values = fields.filter { $0.name.lowercased() == name }
    return values.count == 1 ? values[0].value : nil
  }

  func has(_ name: String) -> Bool { fields.contains { $0.name.lowercased() == name } }
}

/// The parts of a head.
extension GateRequest {
  /// Returns a line as text. It ends with the only carriage return in it.
  private static func text(_ line: [UInt8]) throws(GateRefusal) -> String {
    guard line.last == 0x0D, let text = String(validating: line.dropLast(), as: UTF8.self),
      text.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F })
    else { throw .malformed("a line of the head has an end or a character that must not be there") }
    return text
  }

  /// Returns path and query of a target, which is a path on this server.
  private static func target(_ text: String) throws(GateRefusal) -> (path: String, query: String?) {
    guard text.hasPrefix("/"), !text.hasPrefix("//") else {
      throw .malformed("the target is not a path; a gate is no proxy for other servers")
    }
    guard text.utf8.allSatisfy({ $0.isVisible && $0 != UInt8(ascii: "#") }) else {
      throw .malformed("the target has a character that must be escaped")
    }
    let (path, query) = text.splitOnce(at: "?")
    // Servers differ in what these mean, and might leave the path that the gate is for.
    guard let decoded = PercentEncoding.decode(path, brokenEscapes: .refused),
      query.map({ PercentEncoding.decode($0, brokenEscapes: .refused) != nil }) ?? true
    else { throw .malformed("the target has an escape that is not one") }
    let steps = decoded.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    guard !decoded.contains(0),
      !steps.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
    else { throw .malformed("the path has a segment that leads elsewhere") }
    return (path, query)
  }

  private static func field(_ line: String) throws(GateRefusal) -> Parameter {
    // A line that begins with a space would continue the last field (obs-fold), and has no name.
    let (name, value) = line.splitOnce(at: ":")
    guard let value, isToken(name) else { throw .malformed("a line of the head is not a field") }
    let isSpace = { (character: Unicode.Scalar) in character == " " || character == "\t" }
    var inside = value.unicodeScalars.drop(while: isSpace)
    while let last = inside.last, isSpace(last) { inside.removeLast() }
    return Parameter(name, String(inside))
  }

  /// Returns how the end of the body is found (RFC 9112 section 6.3). Two answers to that are none.
  private static func body(_ fields: ParameterList, isOld: Bool) throws(GateRefusal) -> Body {
    let lengths = fields.filter { $0.name.lowercased() == "content-length" }.map(\.value)
    let codings = fields.filter { $0.name.lowercased() == "transfer-encoding" }.map { $0.value.lowercased() }
    if !codings.isEmpty {
      guard codings == ["chunked"], lengths.isEmpty, !isOld else {
        throw .malformed("it is not clear where the body ends")
      }
      return .chunks
    }
    guard let text = lengths.first else { return .none }
    guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy(\.isDigit), let length = Int(text) else {
      throw .malformed("it is not clear where the body ends")
    }
    return length == 0 ? .none : .length(length)
  }

  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0.isVisible && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
  }
}

/// A request that a gate does not pass on, and its answer.
struct GateRefusal: Error {
  let status: Int
  let json: JSONObject
  /// The failure of Tokentry's that is the reason.
  var failure: Failure?

  /// A request that the gate does not take.
  init(_ status: Int, _ reason: String) {
    self.status = status
    json = ["error": "refused_by_gate", "error_description": .string(reason)]
  }

  static func malformed(_ reason: String) -> GateRefusal { GateRefusal(400, reason) }

  /// A request for which there is no token or no answer, in the words of every other command.
  init(_ failure: Failure) {
    (status, self.failure) = (failure.gateStatus, failure)
    var json = Report(failure).json
    json["hint"] = (Report(failure).hint?.description).map(JSONValue.string)
    self.json = json
  }
}

extension Failure {
  fileprivate var gateStatus: Int {
    if code == .timeout || kind == .noAnswer { return 504 }
    switch code.exitStatus {
    case 5, 6: return 502
    case 9: return 503
    case 70: return 500
    // Not 401, after which clients look for an authorization server of the gate's.
    default: return 403
    }
  }
}

/// The fields of a head.
extension ParameterList {
  /// The members of a list, in lower case (RFC 9110 section 5.6.1).
  func members(of name: String) -> [String] {
    filter { $0.name.lowercased() == name }.flatMap { $0.value.lowercased().parts(at: ",") }
      .map { String($0.filter { $0 != " " && $0 != "\t" }) }.filter { !$0.isEmpty }
  }

  /// The fields that are not about one connection (RFC 9110 section 7.6.1), and not among those named.
  func passedOn(without names: [String]) -> ParameterList {
    let dropped = Self.ofConnection + members(of: "connection") + names
    return filter { !dropped.contains($0.name.lowercased()) }
  }

  private static var ofConnection: [String] {
    [
      "connection", "content-length", "http2-settings", "keep-alive", "proxy-authenticate",
      "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]
  }
}
