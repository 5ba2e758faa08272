import LoginCore
import QRCode

/// Logins that send no user agent to the authorization endpoint.
extension CommandRun {
  /// A token for which the user types a code in on another device; where to do that is said on standard error.
  func deviceToken(for request: LoginRequest, _ settings: Settings) async throws(Failure) -> Token {
    try refuse([.silent, .session, .navigations, .form], settings, "a code for another device")
    let session = DeviceSession(
      try await means(settings)
    ) { [messages] notice in
      switch notice {
      case .code(let device):
        messages.tell("open ", address: device.verificationURI, " and type in \(device.userCode)")
        messages.show(QRCode(device.completeURI ?? device.verificationURI)?.terminalLines)
        messages.info("the code is good for \(device.lifetime) s")
      case .slower(let seconds):
        messages.info("the provider wants to be asked less often: again in \(seconds) s")
      case .silence(let failure, let seconds): messages.info("\(failure.message): again in \(seconds) s")
      }
    }
    return try await session.token(for: request)
  }

  /// A token for the client itself, or for a user whose password is known.
  func directToken(for request: LoginRequest, _ settings: Settings) async throws(Failure) -> Token {
    try refuse([.agent, .navigations, .form], settings, "a login that asks nobody")
    let session = DirectSession(
      try await means(settings))
    if request.grant == .clientCredentials { return try await session.token(ofClientIn: request) }
    guard let user = request.loginHint else {
      throw .caller(
        .invalidConfiguration("it is not said whose password it is", hint: "add --login-hint USER"))
    }
    guard let password = settings.password else {
      throw .caller(
        .invalidConfiguration(
          "there is no password", hint: "--password-file, TOKENTRY_PASSWORD or --request gives it"))
    }
    // RFC 9700 section 2.4: it must not be used.
    messages.warning(
      "the password grant shows the user's password to this program: choose another grant where there is one")
    return try await session.token(ofUser: user, password, in: request)
  }

  /// Options of pages, where none is shown.
  private func refuse(_ options: [Option], _ settings: Settings, _ what: String) throws(Failure) {
    for option in options where settings.has(option) && settings[option] != "auto" {
      throw .caller(.invalidConfiguration("\(option.flag) does not go with \(what)"))
    }
  }

  /// The request with what the issuer says of itself, where it depends on that whether there is a way to the user:
  /// without a display, only a code for another device may be one.
  func described(_ request: LoginRequest, _ settings: Settings) async throws(Failure) -> LoginRequest {
    if hasDisplay || settings.askedWay != nil || request.responseType != .code { return request }
    return try await request.completed(
      needing: [.deviceAuthorization], through: try await transport(settings))
  }
}

extension LoginRequest {
  /// Who is going to sign in, as the request says.
  var loginHint: String? { parameters.first { $0.name.isIdentical(to: "login_hint") }?.value }

  /// Whether its provider gives out codes for other devices, as far as it is known.
  var deviceCodes: WayChoice.DeviceCodes {
    if responseType != .code { return .none }
    if provider.endpoints[.deviceAuthorization] != nil { return .offered }
    return provider.issuer == nil ? .none : .unknown
  }
}
