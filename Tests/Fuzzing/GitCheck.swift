@testable import LoginCore
@testable import tokentry

extension Check {
  /// The attributes that git sends to its credential helper, after a line with its name, and the answers.
  static let git = Check(growing: [
    ("attributes", { pieces($0, from: "git\n") { "a\($0)=1\n" } }),
    ("challenges", { pieces($0, from: "git\n") { _ in "wwwauth[]=Bearer a=1\n" } }),
    ("addresses", { pieces($0, from: "git\n") { _ in "url=https://a@b\n" } }),
    ("signs", { pieces($0, from: "git\nurl=https://") { _ in "@" } }),
  ]
  ) { bytes in
    guard bytes.starts(with: "git\n".utf8) else { return }
    let bytes = Array(bytes.dropFirst(4))
    let request: GitCredentialRequest
    do throws(Failure) { request = try GitCredentialRequest(bytes) } catch { return checkReport(of: error) }
    let text = bytes.text
    for part in [request.scheme, request.host, request.username, request.secret?.revealed()].compactMap(
      \.self)
    {
      require(
        !part.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }, "an attribute is one line: \(part)")
    }
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).prefix { !$0.isEmpty }
    if !lines.contains(where: { $0.starts(with: "url=".utf8) }) {
      let host = lines.last { $0.starts(with: "host=".utf8) }?.dropFirst(5)
      require(host.map { Array($0) } == request.host?.bytes, "the host is that of the attributes: \(text)")
    }
    if let scheme = request.scheme, let host = request.host, let origin = try? Origin("\(scheme)://\(host)") {
      let server = origin.description.split(separator: "/").last ?? ""
      require(host.lowercased().withoutZerosInPort.utf8.starts(with: server.utf8), "\(origin) is \(host)")
      // An origin may have a slash at its end.
      let name = host.utf8.last == UInt8(ascii: "/") ? host.utf8.dropLast() : host.utf8[...]
      require(!name.contains { "/?#@\\".utf8.contains($0) }, "\(host) is only a host")
    }
    checkAnswer(request)
  }

  private static func checkAnswer(_ request: GitCredentialRequest) {
    // Any password could be a token.
    let members: JSONObject = [
      "access_token": .string(request.secret?.revealed() ?? "t"), "token_type": "bearer",
    ]
    guard let token = Token(json: members) else { return }
    let account = Account(Samples.name, login: Samples.login, token: token, receivedAt: Samples.now)
    guard let answer = try? GitCredentialAnswer(GrantedToken(account, for: GitHelper.self), to: request)
    else { return }
    let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false)
    require(lines.last == "" && lines.dropLast().allSatisfy { !$0.isEmpty }, "an answer has no empty line")
    let names = lines.dropLast().map { $0.prefix { $0 != "=" } }
    let known: [[Substring]] = [
      ["username", "password"], ["capability[]", "authtype", "credential", "ephemeral"],
    ]
    require(known.contains(names), "an answer has known attributes: \(names)")
  }
}

extension String {
  /// The host with a port without leading zeros.
  fileprivate var withoutZerosInPort: String {
    // A colon in brackets belongs to the address.
    guard let colon = utf8.lastIndex(of: UInt8(ascii: ":")), !utf8[colon...].contains(UInt8(ascii: "]"))
    else { return self }
    let zeros = utf8[utf8.index(after: colon)...].prefix { $0 == UInt8(ascii: "0") }
    return String(self[...colon]) + self[zeros.endIndex...]
  }
}
