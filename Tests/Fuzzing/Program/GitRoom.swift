@testable import LoginCore
@testable import tokentry

extension Room {
  /// What git says to its credential helper, and what it is answered.
  static let git = Room(
    name: "git", longest: 512,
    growing: [
      ("attributes", { pieces($0) { "a\($0)=1\n" } }),
      ("challenges", { pieces($0) { _ in "wwwauth[]=Bearer a=1\n" } }),
      ("addresses", { pieces($0) { _ in "url=https://a@b\n" } }),
      ("signs", { pieces($0, from: "url=https://") { _ in "@" } }),
    ]
  ) { bytes in
    let request: GitCredentialRequest
    do throws(Failure) { request = try GitCredentialRequest(bytes) } catch { return checkWords(of: error) }
    let text = bytes.text
    for part in [request.scheme, request.host, request.username, request.secret?.revealed()].compactMap(
      \.self)
    {
      demand(!part.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 }, "a part is in one line: \(part)")
    }
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).prefix { !$0.isEmpty }
    if !lines.contains(where: { $0.starts(with: "url=".utf8) }) {
      let host = lines.last { $0.starts(with: "host=".utf8) }?.dropFirst(5)
      demand(host.map { Array($0) } == request.host?.bytes, "the host is what git says: \(text)")
    }
    if let scheme = request.scheme, let host = request.host, let origin = try? Origin("\(scheme)://\(host)") {
      let server = origin.description.split(separator: "/").last ?? ""
      demand(host.lowercased().withoutZerosInPort.utf8.starts(with: server.utf8), "\(origin) is not \(host)")
      // An origin may have a slash at its end.
      let name = host.utf8.last == UInt8(ascii: "/") ? host.utf8.dropLast() : host.utf8[...]
      demand(!name.contains { "/?#@\\".utf8.contains($0) }, "\(host) is a host alone")
    }
    checkAnswer(request)
  }

  private static func checkAnswer(_ request: GitCredentialRequest) {
    // Whatever somebody has sent as a password could be a token.
    let members: JSONObject = [
      "access_token": .string(request.secret?.revealed() ?? "t"), "token_type": "bearer",
    ]
    guard let token = Token(json: members) else { return }
    let account = Account(Samples.name, login: Samples.login, token: token, receivedAt: Samples.now)
    guard let answer = try? GitCredentialAnswer(account, to: request) else { return }
    let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false)
    demand(lines.last == "" && lines.dropLast().allSatisfy { !$0.isEmpty }, "an answer has no empty line")
    let names = lines.dropLast().map { $0.prefix { $0 != "=" } }
    let known: [[Substring]] = [
      ["username", "password"], ["capability[]", "authtype", "credential", "ephemeral"],
    ]
    demand(known.contains(names), "an answer has what it has: \(names)")
  }
}

extension String {
  /// The same port without zeros before its number.
  fileprivate var withoutZerosInPort: String {
    // In brackets it is one of the address.
    guard let colon = utf8.lastIndex(of: UInt8(ascii: ":")), !utf8[colon...].contains(UInt8(ascii: "]"))
    else { return self }
    let zeros = utf8[utf8.index(after: colon)...].prefix { $0 == UInt8(ascii: "0") }
    return String(self[...colon]) + self[zeros.endIndex...]
  }
}
