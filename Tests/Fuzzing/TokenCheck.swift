@testable import LoginCore

extension Check {
  /// The answers of a token endpoint after a line with its name, and tokens that are written and read back.
  static let token = Check(growing: [
    ("members", { elements($0, from: good + ",", to: "}") { "\"a\($0)\":1" } }),
    ("array", { elements($0, from: good + ",\"a\":[", to: "]}") { _ in "1" } }),
    ("scope", { pieces($0, from: good + ",\"scope\":\"", to: "\"}") { "s\($0) " } }),
  ]
  ) { bytes in
    var input = Input(bytes)
    guard input.text() == "token" else { return }
    let response = Samples.response(&input)
    let login = Samples.login
    do throws(Failure) {
      let answer = try TokenResponse(response, to: login)
      let token = try Token(answer, to: login, receivedAt: Samples.now)
      check(token, from: answer.members)
    } catch {
      checkText(of: error)
    }
  }

  private static let good = "token\n200 application/json\n{\"access_token\":\"abc\",\"token_type\":\"bearer\""

  private static func check(_ token: Token, from members: JSONObject) {
    let text = require(token.accessToken?.revealed(), "a token has an access token")
    require(!text.isEmpty && isShowable(text.filter { $0.isASCII }), "a token is text: \(text)")
    require(members["access_token"]?.string?.bytes == text.bytes, "the access token is that of the answer")
    require(members["error"]?.string?.isEmpty != false, "an error is not a token")
    require(token.type?.lowercased() == "bearer", "only bearer tokens are accepted")
    for name in ["state", "code", "iss", "response", "access_token"] {
      require(token.allMembers[name] == nil, "\(name) is not passed on")
    }
    let json = token.json(at: Samples.now)
    let read = try? JSONReader.read(json.text.bytes)
    let again = require(read?.object.flatMap { Token(json: $0) }, "a token can be read back: \(json.text)")
    require(again == token, "a token is read back unchanged: \(json.text)")
    require(
      again.json(at: Samples.now).text.bytes == json.text.bytes, "a token is written in one way: \(json.text)"
    )
    for member in members where token.allMembers[member.name] != nil {
      require(json[member.name] == member.value, "\(member.name) passes unchanged")
    }
    if let end = token.expiresAt { require(end > Samples.now, "a new token has not expired") }
    let account = Account(Samples.name, login: Samples.login, token: token, receivedAt: Samples.now)
    let renewed = account.renewed(with: again, receivedAt: Samples.now)
    require(renewed.token.accessToken == token.accessToken, "a renewed account has the token of the answer")
  }
}
