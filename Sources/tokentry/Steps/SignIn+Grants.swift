import GLibSupport
import LoginCore
import LoginWays
import QRCode
import UserAgents
import Wording

/// Logins that send no user agent to the authorization endpoint.
extension SignIn {
  /// A token for which the user types a code in on another device; where to do that is said on standard error, and in
  /// a window where nobody may read that.
  func deviceToken(for request: LoginRequest) async throws(Failure) -> Token {
    try refuse([.silent, .session, .navigations, .form], .code)
    let window = try deviceWindow(for: request)
    let reminder = Reminder()
    defer { withExtendedLifetime(reminder) {} }
    let session = DeviceSession(run.dependencies) { [run] notice in
      switch notice {
      case .code(let device):
        let picture = CodePicture(qrCodeOf: device.completeURI ?? device.verificationURI)
        run.messages.tell(.code(device.userCode, address: device.verificationURI))
        run.messages.show(picture?.lines(onTerminalOf: Messages.columns))
        run.messages.info(.codeLifetime(device.lifetime))
        GLibActor.task {
          let secondsLeft = run.interruption.secondsLeft
          let instruction = DeviceInstruction(device, picture, secondsLeft: secondsLeft)
          window?.show(instruction)
          reminder.begin(secondsLeft: instruction.secondsLeft ?? device.lifetime)
        }
      case .slower(let seconds): run.messages.info(.askedLess(seconds: seconds))
      case .silence(let failure, let seconds):
        run.messages.info(.askedAgain(failure, seconds: seconds))
      }
    }
    guard let window else { return try await session.token(for: request) }
    return try await window.value { () async throws(Failure) -> Token in
      try await session.token(for: request)
    }
  }

  /// The window that shows the code, if it was asked for or nothing else would.
  private func deviceWindow(for request: LoginRequest) throws(Failure) -> DeviceDialog? {
    let router = Router(run, way)
    guard router.showsCodeInWindow else { return nil }
    if !run.environment.hasDisplay { throw run.environment.noDisplay }
    return DeviceDialog(
      candidates: run.environment.windowPrograms,
      presentation: router.presentation(of: request.provider), opener: router.opener,
      isRequired: way.asked == .window
    ) { [messages = run.messages] notice in
      switch notice {
      case .lost(let failure): messages.warning(.codeWithoutWindow(failure))
      case .warning(let text): messages.warning(.window(text))
      }
    }
  }

  /// A token for the client itself, or for a user whose password is known.
  func directToken(for request: LoginRequest) async throws(Failure) -> Token {
    try refuse([.agent, .navigations, .form], .nobody)
    let session = DirectSession(run.dependencies)
    if request.grant == .clientCredentials { return try await session.token(ofClientIn: request) }
    guard let user = request.loginHint else { throw .configuration(.noUser) }
    guard let password else { throw .configuration(.noPassword) }
    // RFC 9700 section 2.4: it must not be used.
    run.messages.warning(.passwordGrant)
    return try await session.token(ofUser: user, password, in: request)
  }

  /// Options of pages, where none is shown.
  private func refuse(
    _ options: [Option], _ kind: ConfigurationFault.LoginKind
  ) throws(Failure) {
    if let option = options.first(where: way.given.contains) {
      throw .configuration(.notWith(option.flag, kind))
    }
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
