import GLibSupport
import Language
import LoginCore
import LoginKit
import Platform
import SignIn
import WindowProtocol

/// Logins that show no page of the provider on this machine.
extension SignIn {
  /// A token for which the user types a code in on another device. The code is printed on standard error, and shown in a
  /// window if the user might not read that.
  func deviceToken(for request: LoginRequest) async throws(Failure) -> Token {
    try refuse([.silent, .session, .navigations, .form], in: "a code for another device")
    let window = try deviceWindow(for: request)
    let router = Router(run, way)
    let opener = request.provider.usesLoginFlow && router.wayOfLoginFlow == .browser ? router.opener : nil
    let reminder = Reminder()
    defer { withExtendedLifetime(reminder) {} }
    let session = DeviceSession(run.dependencies) { [run] notice in
      switch notice {
      case .code(let device):
        let picture = CodePicture(qrCodeOf: device.completeURI ?? device.verificationURI)
        let instruction = OAuthClient.Event.code(device).message
        // The text is below the picture, which must not push it out of view.
        let textLength = "tokentry: info: ".count + instruction.text.count
        if opener == nil { run.messages.show(picture?.lines(on: Messages.screen, above: textLength)) }
        run.messages.tell(instruction, holdsAddress: true)
        if device.userCode != nil { run.messages.info("the code expires in \(device.lifetime) s") }
        GLibActor.task {
          window?.show(DeviceInstruction(device, picture))
          _ = await opener?.open(device.verificationURI)
          reminder.begin(secondsLeft: min(device.lifetime, run.interruption.secondsLeft ?? device.lifetime))
        }
      case .slower(let seconds):
        run.messages.info("the provider wants fewer requests: trying again in \(seconds) s")
      case .silence(let failure, let seconds):
        run.messages.info("\(failure.message): trying again in \(seconds) s")
      }
    }
    guard let window else { return try await session.token(for: request) }
    return try await window.value { () async throws(Failure) -> Token in
      while true {
        do throws(Failure) { return try await session.token(for: request) } catch {
          guard error.code == .provider("expired_token") else { throw error }
          run.interruption.shownFailure = error
          try await window.offerNewCode(insteadOf: error)
          run.interruption.shownFailure = nil
        }
      }
    }
  }

  /// The window for the code, if the caller asks for it or the user might not see the code otherwise.
  private func deviceWindow(for request: LoginRequest) throws(Failure) -> DeviceDialog? {
    let router = Router(run, way)
    let showsPage = request.provider.usesLoginFlow
    guard showsPage ? router.wayOfLoginFlow == .window : router.showsCodeInWindow else { return nil }
    if !run.environment.hasDisplay { throw run.environment.noDisplay }
    router.explainFailures(of: request.provider)
    return DeviceDialog(
      candidates: run.environment.windowPrograms, options: router.windowOptions(of: request.provider),
      deadline: router.deadline, opener: router.opener, isRequired: way.asked == .window, showsPage: showsPage
    ) { [messages = run.messages] notice in
      switch notice {
      case .lost(let failure): messages.warning("the code is not shown in a window: \(failure.message)")
      case .warning(let text): messages.warning(Message(catalogued: text))
      }
    }
  }

  /// A token for the client itself, for a user whose password is known, or for another token.
  func directToken(for request: LoginRequest) async throws(Failure) -> Token {
    try refuse([.agent, .navigations, .form], in: "a login without a user")
    let session = DirectSession(run.dependencies)
    if request.grant == .clientCredentials { return try await session.token(ofClientIn: request) }
    if request.grant == .tokenExchange {
      return try await session.token(exchanging: try oldToken(request), in: request)
    }
    guard let user = request.loginHint else { throw .noUser }
    guard let password else {
      throw Failure(
        .invalidConfiguration, "the password is missing",
        hint: "give it with --password-file, TOKENTRY_PASSWORD or --request")
    }
    // RFC 9700 section 2.4 forbids this grant.
    run.messages.warning(
      "the password grant shows the user's password to this program: use another grant if the provider has one"
    )
    return try await session.token(ofUser: user, password, in: request)
  }

  /// The token to exchange: the id_token if its type was named, or else the access token.
  private func oldToken(_ request: LoginRequest) throws(Failure) -> AccessToken {
    let wantsIdentity = request.parameter("subject_token_type")?.hasSuffix(":id_token") == true
    let old = wantsIdentity ? subject?.idToken.map { AccessToken($0) } : subject?.accessToken
    guard let old else { throw .noTokenToExchange }
    return old
  }

  /// Refuses options for pages, because this login does not show a page.
  private func refuse(_ options: [Option], in login: Message) throws(Failure) {
    guard let option = options.first(where: way.given.contains) else { return }
    throw Failure(.invalidConfiguration, "\(option.flag) cannot be used with \(login)")
  }
}

extension Failure {
  fileprivate static let noTokenToExchange = Failure(
    .invalidConfiguration, "the token to exchange is missing",
    hint: "give the output of login or token with --token-file")
}

extension DeviceInstruction {
  fileprivate init(_ device: DeviceAuthorization, _ picture: CodePicture?) {
    self.init(userCode: device.userCode ?? "", verificationURI: device.verificationURI)
    completeURI = device.completeURI
    secondsLeft = device.lifetime
    self.picture = picture
  }
}

/// Notifies the user shortly before a code expires, unless this object is released earlier.
@GLibActor
private final class Reminder {
  /// Enough seconds to pick up a phone.
  private static let longestWarning: Int64 = 60
  private var timer: Source?

  /// Waits until the last minute, or the last quarter of a short time.
  func begin(secondsLeft: Int64) {
    let warning = min(Self.longestWarning, secondsLeft / 4)
    guard warning > 0 else { return }
    timer = .timer(every: .seconds(secondsLeft - warning)) { [weak self] in
      self?.timer = nil
      let text = DesktopText.codeEnds(in: warning)
      DesktopNotification.show(text.title.text, text.sentence.text)
    }
  }
}
