@testable import LoginCore

extension Check {
  /// The field `WWW-Authenticate`: challenges that are written in the strict form are read back unchanged.
  static let challenge = Check(growing: [
    ("schemes", { pieces($0) { _ in "a, " } }),
    ("parameters", { pieces($0, from: "Bearer ") { "a\($0)=1," } }),
    ("blanks", { pieces($0, from: "Bearer") { _ in " " } }),
    ("commas", { pieces($0, from: "Bearer a=1") { _ in "," } }),
    ("quotes", { pieces($0, from: "Bearer a=") { _ in "\"" } }), ("token", { pieces($0) { _ in "a" } }),
    ("padding", { pieces($0, from: "Basic a") { _ in "=" } }),
    ("words", { pieces($0, from: "Basic ") { _ in "a " } }),
  ]
  ) { bytes in
    let text = bytes.text
    let list = Challenge.list(text)
    for challenge in list {
      let names = [challenge.scheme] + challenge.parameters.keys
      require(names.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isOfToken) }, "names are tokens: \(names)")
      require(
        challenge.token68 == nil || challenge.parameters.isEmpty,
        "a challenge has base64 text or parameters: \(text)")
    }
    let written = list.map { "\($0.scheme)\(rest(of: $0))" }.joined(separator: ", ")
    require(Challenge.list(written) == list, "\(text) is read back unchanged from \(written)")
    let response = HTTPResponse(status: 401, headers: [Parameter("WWW-Authenticate", text)])
    if let failure = Failure.resource(response) { checkText(of: failure) }
    if case .authentication(_, let age?)? = StepUp(response) {
      require(UInt32(age) != nil, "an age is a number: \(age)")
    }
    let wanted = StepUp(HTTPResponse(status: 403, headers: response.headers))
    if case .scope(let scope)? = wanted { require(!scope.isEmpty, "a wanted scope is not empty") }
  }

  private static func rest(of challenge: Challenge) -> String {
    if let token = challenge.token68 { return " \(token)" }
    return challenge.parameters.sorted { $0.key < $1.key }.enumerated().map { index, parameter in
      let value = parameter.value.replacingAll("\\", with: "\\\\").replacingAll("\"", with: "\\\"")
      return (index == 0 ? " " : ", ") + "\(parameter.key)=\"\(value)\""
    }.joined()
  }

  /// RFC 9110 section 5.6.2, in lower case.
  private static func isOfToken(_ byte: UInt8) -> Bool {
    "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz".utf8.contains(byte)
  }
}
