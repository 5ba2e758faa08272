@testable import LoginCore

extension Check {
  /// Callbacks: the state in the first line, flags in the second line (the channel of the answer, and whether the issuer
  /// is known and always sent), and the callback in the rest.
  static let callback = Check(growing: [
    ("parameters", { pieces($0, from: "S\n\n\(address)?state=S") { "&a\($0)=1" } }),
    ("escapes", { pieces($0, from: "S\n\n\(address)?state=S&code=") { _ in "%41" } }),
  ]
  ) { bytes in
    var input = Input(bytes)
    let (state, promises) = (input.text(), input.line())
    let (kind, uri) = (promises.first ?? 0, input.remainder)
    guard let request = Requests.shared.request(state: state, kind & 7) else { return }
    let text = uri.text
    checkVisit(request.visit, state, uri)
    guard case .callback(let callback) = request.policy.decision(for: uri) else { return }
    let response: AuthorizationResponse
    do throws(Failure) {
      response = try AuthorizationResponse(.callback(callback), to: request)
    } catch {
      return
    }
    // An accepted answer has the required parameters once, and in the expected channel.
    let isFragment = kind & 1 == 1
    let answer = Parameters(uri, isFragment: isFragment)
    if state.isEmpty == false {
      require(answer.values(of: "state") == [state], "the state is repeated once: \(text)")
      require(response.checks.state, "the state is reported as checked: \(text)")
    }
    require(!answer.hasRepeatedName, "names are not repeated: \(text)")
    require(answer.values(of: "error").allSatisfy(\.isEmpty), "an error is not an answer: \(text)")
    if kind & 2 == 2 {
      let issuers = answer.values(of: "iss") + Parameters(uri, isFragment: !isFragment).values(of: "iss")
      let named = issuers.filter { !$0.isEmpty }
      require(named.allSatisfy { $0.bytes == issuer.bytes }, "the issuer is the right one: \(text)")
      require(kind & 4 == 0 || !named.isEmpty, "a required issuer is there: \(text)")
      require(
        response.checks.issuer == !named.isEmpty, "the issuer is reported as checked if it is there: \(text)")
    }
    if let code = try? response.code() {
      require(answer.values(of: "code") == [code.revealed()], "the code is that of the callback: \(text)")
      require(
        !code.revealed().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "a code is text")
    }
  }

  fileprivate static let address = "https://app.example/cb"
  fileprivate static let issuer = "https://as.example"

  /// Checks URIs that a browser brings to this machine, and texts that a user pastes.
  private static func checkVisit(_ visit: Visit, _ state: String, _ uri: [UInt8]) {
    let text = uri.text
    if let callback = visit.callback(brought: text) {
      let channels = [false, true].map { Parameters(text.bytes, isFragment: $0) }
      let states = channels.flatMap { $0.values(of: "state") }
      require(state.isEmpty || states.contains(state), "a callback from a browser repeats the state: \(text)")
      require(
        Place(address).contains(text.bytes), "a callback from a browser is at the redirect URI: \(text)")
      _ = visit.isAnswered(by: callback, mainFrame: nil)
    }
    if case .answer(.code(let code)) = visit.pasted(uri) {
      require(code.revealed().utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a pasted code is visible")
    }
  }
}

/// Keeps the last request, because most inputs have the state of the previous input.
private final class Requests {
  nonisolated(unsafe) static let shared = Requests()  // libFuzzer has one thread
  private var last: (state: String, kind: UInt8, request: AuthorizationRequest?)?

  func request(state: String, _ kind: UInt8) -> AuthorizationRequest? {
    if let last, last.kind == kind, last.state.bytes == state.bytes { return last.request }
    let request = Self.request(state: state, kind)
    last = (state, kind, request)
    return request
  }

  private static func request(state: String, _ kind: UInt8) -> AuthorizationRequest? {
    var provider = Provider()
    provider.endpoints[.authorization] = Samples.login.provider.endpoints[.authorization]
    provider.responseMode = kind & 1 == 1 ? .fragment : nil
    provider.issuer = kind & 2 == 2 ? try? Issuer(Check.issuer) : nil
    provider.sendsIssuer = kind & 4 == 4
    guard let redirect = try? RedirectURI(Check.address) else { return nil }
    var login = LoginRequest(provider: provider, clientID: "client", redirectURI: redirect)
    login.omitsState = state.isEmpty
    login.fixed = LoginRequest.FixedValues(
      state: state.isEmpty ? nil : OAuthState(state),
      codeVerifier: CodeVerifier(String(repeating: "v", count: 43)))
    return try? AuthorizationRequest(login, cryptography: PlainCryptography())
  }
}
