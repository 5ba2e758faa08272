/// One login at which the user types a code in on another device, from the request to the token (RFC 8628).
public struct DeviceSession: Sendable {
  private let tell: @Sendable (Notice) -> Void
  private let dependencies: Dependencies

  /// What is told while the login goes on.
  public enum Notice: Sendable {
    /// The code that the user types in, and where: it has to be shown.
    case code(DeviceAuthorization)
    /// The provider wants to be asked less often.
    case slower(seconds: Int64)
    /// The provider did not answer, and is asked again.
    case silence(Failure, seconds: Int64)
  }

  /// A login by these means.
  public init(_ dependencies: Dependencies, tell: @escaping @Sendable (Notice) -> Void) {
    self.dependencies = dependencies
    self.tell = tell
  }

  /// Has a code shown to the user and returns the token that came of it.
  public func token(for wanted: LoginRequest) async throws(Failure) -> Token {
    try Self.check(wanted)
    let needed: [EndpointName] = [.deviceAuthorization, .token] + (wanted.isForOpenID ? [.keySet] : [])
    let login = try await wanted.completed(needing: needed, through: dependencies.transport).withProofKey(
      dependencies.cryptography)
    try login.checkTokenEndpoint()
    let check = IDTokenCheck(of: login, dependencies)
    if check == nil { try login.checkWithoutVerification() }
    let server = login.ownEndpoints(dependencies)
    let request = try DeviceAuthorizationRequest(login)
    let authorization = try DeviceAuthorization(try await server.send(request.httpRequest))
    tell(.code(authorization))
    let answer = try await answer(to: authorization, login, server)
    try login.checkDetails(answer)
    let token = try Token(
      answer, to: login, callback: [], checks: Checks(), receivedAt: dependencies.clock.now())
    return try await token.identified(for: login, by: check, clock: dependencies.clock)
  }

  /// Refuses a login that cannot be completed, before anything is sent.
  public static func check(_ login: LoginRequest) throws(Failure) {
    // A provider that gives out no codes is to be named as that, whatever else its preset says.
    guard login.provider.issuer != nil || login.provider.endpoints[.deviceAuthorization] != nil else {
      throw .caller(.noEndpoint(.deviceAuthorization))
    }
    guard login.responseType == .code else { throw .caller(.responseTypeForDevice) }
    if login.provider.issuer == nil || login.provider.hasOpaqueIDToken {
      try login.checkWithoutVerification()
    }
  }

  /// Asks again and again until the user has decided, or the code has expired (section 3.5).
  private func answer(
    to authorization: DeviceAuthorization, _ login: LoginRequest, _ server: any HTTPTransport
  ) async throws(Failure) -> TokenResponse {
    let request = try TokenRequest(.device(authorization.deviceCode), for: login)
    var polling = DevicePolling(authorization)
    var step = polling.first()
    while true {
      switch step {
      case .end(let failure): throw failure
      case .wait(let seconds): try await dependencies.clock.wait(seconds: seconds)
      }
      let askedAt = dependencies.clock.now()
      do throws(Failure) {
        return try TokenResponse(try await server.send(request.httpRequest), to: login)
      } catch {
        step = polling.next(after: error, took: dependencies.clock.now().seconds(since: askedAt))
        if case .wait(let seconds) = step { report(error, seconds) }
      }
    }
  }

  private func report(_ failure: Failure, _ seconds: Int64) {
    switch failure {
    case .provider(let error) where error.code == "slow_down": tell(.slower(seconds: seconds))
    case .provider(let error) where error.isTemporary: tell(.silence(failure, seconds: seconds))
    case .network: tell(.silence(failure, seconds: seconds))
    default: break
    }
  }
}
