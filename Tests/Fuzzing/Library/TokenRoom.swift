@testable import LoginCore

extension Room {
  /// Answers of a token endpoint, and tokens that are written and read again.
  static let token = Room(
    name: "token", longest: 1_024,
    growing: [
      ("members", { elements($0, from: good + ",", to: "}") { "\"a\($0)\":1" } }),
      ("array", { elements($0, from: good + ",\"a\":[", to: "]}") { _ in "1" } }),
      ("scope", { pieces($0, from: good + ",\"scope\":\"", to: "\"}") { "s\($0) " } }),
    ]
  ) { bytes in
    var input = Input(bytes)
    let response = Samples.response(&input)
    let login = Samples.login
    do throws(Failure) {
      let answer = try TokenResponse(response, to: login)
      let token = try Token(answer, to: login, receivedAt: Samples.now)
      check(token, from: answer.members)
    } catch {
      checkWords(of: error)
    }
  }

  private static let good = "200 application/json\n{\"access_token\":\"abc\",\"token_type\":\"bearer\""

  private static func check(_ token: Token, from members: JSONObject) {
    let text = demand(token.accessToken?.revealed(), "there is an access token")
    demand(!text.isEmpty && isShowable(text.filter { $0.isASCII }), "a token is text: \(text)")
    demand(members["access_token"]?.string?.bytes == text.bytes, "the token is the one that came")
    demand(members["error"]?.string?.isEmpty != false, "an error is no token")
    demand(token.type?.lowercased() == "bearer", "the type is understood")
    for name in ["state", "code", "iss", "response", "access_token"] {
      demand(token.members[name] == nil, "\(name) is not passed on as it came")
    }
    let json = token.json(at: Samples.now)
    let read = try? JSONReader.read(json.text.bytes)
    let again = demand(read?.object.flatMap { Token(json: $0) }, "a token can be read again: \(json.text)")
    demand(again == token, "a token is read as it was: \(json.text)")
    demand(
      again.json(at: Samples.now).text.bytes == json.text.bytes, "a token is written as it was: \(json.text)")
    for member in members where token.members[member.name] != nil {
      demand(json[member.name] == member.value, "\(member.name) passes unchanged")
    }
    if let end = token.expiresAt { demand(end > Samples.now, "a token that has just come is good") }
    let account = Account(Samples.name, login: Samples.login, token: token, receivedAt: Samples.now)
    let renewed = account.renewed(with: again, receivedAt: Samples.now)
    demand(renewed.token.accessToken == token.accessToken, "an account has the token of the answer")
  }
}
