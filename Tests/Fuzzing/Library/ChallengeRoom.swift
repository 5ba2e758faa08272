@testable import LoginCore

extension Room {
  /// What servers say in `WWW-Authenticate`: read as the same when it is written in the one strict form.
  static let challenge = Room(
    name: "challenge", longest: 512,
    growing: [
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
      demand(names.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isOfToken) }, "names are tokens: \(names)")
      demand(challenge.token68 == nil || challenge.parameters.isEmpty, "one of the two: \(text)")
    }
    let written = list.map { "\($0.scheme)\(behind($0))" }.joined(separator: ", ")
    demand(Challenge.list(written) == list, "\(text) is read as the same where it is written as \(written)")
    let response = HTTPResponse(status: 401, headers: [Parameter("WWW-Authenticate", text)])
    if let fault = ResourceFault(response) { checkWords(of: .resource(fault)) }
    if case .authentication(_, let age?)? = StepUp(response) {
      demand(UInt32(age) != nil, "an age is a number: \(age)")
    }
    let wanted = StepUp(HTTPResponse(status: 403, headers: response.headers))
    if case .scope(let scope)? = wanted { demand(!scope.isEmpty, "a scope that is wanted is one") }
  }

  private static func behind(_ challenge: Challenge) -> String {
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
