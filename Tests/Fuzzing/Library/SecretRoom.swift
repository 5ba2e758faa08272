@testable import LoginCore

extension Room {
  /// Printing a value does not show its secret: the length of the first line chooses the value, and the secret is in the
  /// rest.
  static let secrets = Room(name: "secrets", longest: 96) { bytes in
    var input = Input(bytes)
    let way = input.line().count
    let secret = input.remainder.text
    guard secret.unicodeScalars.count >= 4 else { return }
    // Texts that occur with any secret are not compared.
    let usual = texts(way, with: "zqj~zqj~")
    for (text, other) in zip(texts(way, with: secret), usual) where !other.has(secret) {
      require(!text.has(secret), "\(secret) is not in \(text)")
    }
  }

  private typealias Maker = @Sendable (String) -> (any Sendable)?

  /// Returns a value that holds the secret, printed in all of Swift's ways.
  private static func texts(_ way: Int, with secret: String) -> [String] {
    let makers = [
      tokenWith, responseWith, requestWith, valuesWith, loginWith, headerWith, accountWith,
    ]
    guard let value = makers[way % makers.count](secret) else { return [] }
    var texts = ["\(value)", String(reflecting: value)]
    if way % 3 == 0 {
      var dumped = ""
      dump(value, to: &dumped)
      texts.append(dumped)
    }
    return texts
  }

  private static let tokenWith: Maker = { Token(json: members(with: $0)) }

  private static let responseWith: Maker = { secret in
    HTTPResponse(
      status: 200, headers: [Parameter("Location", secret)], body: members(with: secret).text.bytes)
  }

  private static let requestWith: Maker = { secret in
    Samples.login.provider.endpoints[.token].map { endpoint in
      HTTPRequest(
        post: [Parameter("code", secret)], to: endpoint, headers: [Parameter("Authorization", secret)])
    }
  }

  private static let valuesWith: Maker = { secret in
    let list: [any Sendable] = [
      AccessToken(secret), HMACKey(secret.bytes), ParameterList([Parameter("code", secret)]),
      AuthorizationCode(secret), Password(secret),
    ]
    return list
  }

  private static let loginWith: Maker = { secret in
    LoginRequest.FixedValues(
      state: State(secret), nonce: Nonce(secret), codeVerifier: CodeVerifier(secret))
  }

  private static let headerWith: Maker = { secret in
    try? AuthorizationHeader(AccessToken(secret), scheme: "Bearer")
  }

  private static let accountWith: Maker = { secret in
    var login = Samples.login
    login.clientSecret = ClientSecret(secret)
    return Token(json: members(with: secret)).map { token in
      let account = Account(Samples.name, login: login, token: token, receivedAt: Samples.now)
      return [account.token, account.login.clientSecret] as [any Sendable]
    }
  }

  private static func members(with secret: String) -> JSONObject {
    ["access_token": .string(secret), "token_type": "bearer", "refresh_token": .string(secret)]
  }
}
