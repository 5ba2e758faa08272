/// A callback that was judged and found to answer the request: in the order redirect, limits, duplicates,
/// `iss`, `state`, `error`, content.
public struct AuthorizationResponse: Sendable {
  /// What the provider sent.
  let parameters: ParameterList
  /// What was really verified so far.
  public let checks: Checks

  /// Judges what a visit brought back.
  public init(_ arrival: Arrival, to request: AuthorizationRequest) throws(Failure) {
    switch arrival {
    case .errorPage(let uri, let body): throw .provider(ProviderError(page: uri, body: body))
    case .callback(let callback): try self.init(callback, expecting: request.expectation)
    case .code(let code): try self.init(code, expecting: request.expectation)
    }
  }

  /// A code that came without its callback: PKCE alone says that it belongs to this request.
  private init(
    _ code: AuthorizationCode, expecting expectation: AuthorizationRequest.Expectation
  ) throws(Failure) {
    guard expectation.acceptsBareCode else { throw .untrusted(.malformedCallback(.bareCode)) }
    parameters = ParameterList([Parameter("code", code.revealed())])
    checks = Checks()
  }

  private init(
    _ callback: Callback, expecting expectation: AuthorizationRequest.Expectation
  ) throws(Failure) {
    let channels = try callback.channels()
    // What is posted is handed on as a query: a listener of ours has put it there.
    let usesQuery = expectation.responseMode != .fragment
    var own = usesQuery ? channels.query : channels.fragment
    let other = usesQuery ? channels.fragment : channels.query
    if let name = own.repeatedName { throw .untrusted(.duplicateParameter(name)) }
    if other.repeats("iss") { throw .untrusted(.duplicateParameter("iss")) }

    var checks = Checks()
    checks.redirect = callback.redirect
    checks.issuer = try Self.compareIssuer(own["iss"], other["iss"], with: expectation)

    // Some providers answer an implicit request with an error in the query, and some append a fragment such as
    // `#_=_` to it. Nothing but an error is ever taken from there.
    if !own.isAnswer, other["error"] != nil {
      if let name = other.repeatedName { throw .untrusted(.duplicateParameter(name)) }
      own = other
    }
    checks.state = try Self.compareState(in: own, with: expectation.state)
    if let code = try own.usable("error") {
      throw .provider(
        ProviderError(code: code, description: own["error_description"], uri: try? own.usable("error_uri")))
    }

    let missing = expectation.callbackParameters.filter { own[$0] == nil }
    guard missing.isEmpty else { throw .untrusted(.malformedCallback(.missing(missing))) }
    for name in expectation.callbackParameters { _ = try own.usable(name) }
    parameters = own
    self.checks = checks
  }

  /// The code, which has to be there (RFC 6749 section 4.1.2).
  public func code() throws(Failure) -> AuthorizationCode {
    guard let code = try parameters.usable("code") else {
      throw .untrusted(.malformedCallback(.missing(["code"])))
    }
    return AuthorizationCode(code)
  }

  /// The parameters of the callback that later requests and the token repeat.
  public func repeated(_ names: [String]) -> [Parameter] { parameters.repeated(names) }

  /// RFC 9207 section 2.4: an identifier that is there equals the issuer that was asked, and it is there if
  /// that one always sends it. Without a known issuer it is neither compared nor claimed.
  private static func compareIssuer(
    _ own: String?, _ other: String?, with expectation: AuthorizationRequest.Expectation
  ) throws(Failure) -> Bool {
    guard let issuer = expectation.issuer else { return false }
    let received = [own, other].compactMap(\.self)
    if received.isEmpty, expectation.issuerIsSent { throw .untrusted(.issuerMissing) }
    guard received.allSatisfy(issuer.isIdentical) else { throw .untrusted(.issuerMismatch) }
    return !received.isEmpty
  }

  /// A denial without any state is believed, since it gives nothing away; everything else has to repeat the
  /// state of the request.
  private static func compareState(in list: ParameterList, with expected: State?) throws(Failure) -> Bool {
    guard let expected else { return false }
    guard let received = list["state"] else {
      if list["error"] != nil { return false }
      throw .untrusted(.stateMissing)
    }
    guard State(received) == expected else { throw .untrusted(.stateMismatch) }
    return true
  }
}

extension ParameterList {
  /// Whether there is any of the parameters that an answer consists of.
  fileprivate var isAnswer: Bool {
    ["state", "error", "code", "access_token", "id_token"].contains { self[$0] != nil }
  }

  func repeated(_ names: [String]) -> [Parameter] {
    names.compactMap { name in self[name].map { Parameter(name, $0) } }
  }

  /// The value of a parameter that will be acted upon, which therefore has to be text without control
  /// characters and without anything that was lost in decoding.
  func usable(_ name: String) throws(Failure) -> String? {
    guard let value = self[name] else { return nil }
    guard !value.unicodeScalars.contains(where: { $0 == "\u{FFFD}" || $0.isControl }) else {
      throw .untrusted(.malformedCallback(.notText(name)))
    }
    return value
  }
}
