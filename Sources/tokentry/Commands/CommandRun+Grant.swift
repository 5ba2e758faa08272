import GLibSupport
import LoginCore
import QRCode
import UserAgents

/// Logins that send no user agent to the authorization endpoint.
extension CommandRun {
  /// A token for which the user types a code in on another device; where to do that is said on standard error, and in
  /// a window where nobody may read that.
  func deviceToken(for request: LoginRequest, _ settings: Settings) async throws(Failure) -> Token {
    try refuse([.silent, .session, .navigations, .form], settings, "a code for another device")
    let window = try deviceWindow(for: request, settings)
    let session = DeviceSession(try await means(settings)) { [messages, interruption] notice in
      switch notice {
      case .code(let device):
        let picture = CodePicture(qrCodeOf: device.completeURI ?? device.verificationURI)
        messages.tell("open ", address: device.verificationURI, " and type in \(device.userCode)")
        messages.show(picture?.terminalLines)
        messages.info("the code is good for \(device.lifetime) s")
        GLibActor.task {
          window?.show(DeviceInstruction(device, picture, secondsLeft: interruption.secondsLeft))
        }
      case .slower(let seconds):
        messages.info("the provider wants to be asked less often: again in \(seconds) s")
      case .silence(let failure, let seconds): messages.info("\(failure.message): again in \(seconds) s")
      }
    }
    guard let window else { return try await session.token(for: request) }
    return try await window.value { () async throws(Failure) -> Token in
      try await session.token(for: request)
    }
  }

  /// Whether a code for another device is shown in a window, too.
  func showsCodeInWindow(_ settings: Settings) -> Bool {
    if settings.has(.headlessTest) { return false }
    return settings.askedWay == .window || capabilities(settings).showsCodeInWindow
  }

  /// The window that shows the code, if it was asked for or nothing else would.
  private func deviceWindow(
    for request: LoginRequest, _ settings: Settings
  ) throws(Failure) -> DeviceDialog? {
    let isAsked = settings.askedWay == .window
    guard showsCodeInWindow(settings) else { return nil }
    if !hasDisplay { throw .display(.noDisplay) }
    return DeviceDialog(
      candidates: windowPrograms, presentation: try presentation(settings, titled: request.provider.name),
      opener: try opener(settings), isRequired: isAsked
    ) { [messages] notice in
      switch notice {
      case .lost(let failure): messages.warning("the code is not shown in a window: \(failure.message)")
      case .warning(let text): messages.warning(text)
      }
    }
  }

  /// A token for the client itself, or for a user whose password is known.
  func directToken(for request: LoginRequest, _ settings: Settings) async throws(Failure) -> Token {
    try refuse([.agent, .navigations, .form], settings, "a login that asks nobody")
    let session = DirectSession(try await means(settings))
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

extension DeviceInstruction {
  /// What the provider has answered, good for no longer than the login waits.
  init(_ device: DeviceAuthorization, _ picture: CodePicture?, secondsLeft: Int64?) {
    self.init(userCode: device.userCode, verificationURI: device.verificationURI)
    completeURI = device.completeURI
    self.secondsLeft = min(device.lifetime, secondsLeft ?? device.lifetime)
    self.picture = picture
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
