import GLibSupport
import Language
import LoginCore
import Platform
import WindowProtocol

/// Logins that show no page of the provider on this machine.
extension SignIn {
  /// A token for which the user types a code in on another device. The code is told, and shown in a window if the user might
  /// not read it otherwise.
  package func deviceToken(for request: LoginRequest) async throws(Failure) -> Token {
    let window = try deviceWindow(for: request)
    let router = Router(host, options, for: request)
    let opener = request.provider.usesLoginFlow && router.wayOfLoginFlow == .browser ? router.opener : nil
    let reminder = Reminder()
    defer { withExtendedLifetime(reminder) {} }
    let session = DeviceSession(host.dependencies) { [host] notice in
      switch notice {
      case .code(let device):
        let picture = CodePicture(qrCodeOf: device.verificationURIComplete ?? device.verificationURI)
        GLibActor.task {
          host.run.extendDeadline(forCode: device.expiresIn)
          let left = min(device.expiresIn, host.run.secondsLeft ?? device.expiresIn)
          // A picture of a page that opens by itself is of no use.
          host.tell(.code(device, opener == nil ? picture : nil, secondsLeft: left))
          window?.show(DeviceInstruction(device, picture))
          _ = await opener?.open(device.verificationURI)
          reminder.begin(secondsLeft: left)
        }
      case .slower(let seconds): host.tell(.slower(seconds: seconds))
      case .silence(let failure, let seconds): host.tell(.silence(failure, seconds: seconds))
      }
    }
    guard let window else { return try await session.token(for: request) }
    return try await window.value { [host] () async throws(Failure) -> Token in
      while true {
        do throws(Failure) { return try await session.token(for: request) } catch {
          guard error.code == .expiredToken else { throw error }
          // The window offers a new code.
          host.run.shownFailure = error
          try await window.offerNewCode(insteadOf: error)
          host.run.shownFailure = nil
        }
      }
    }
  }

  /// The window for the code, if the caller asks for it or the user might not see the code otherwise.
  private func deviceWindow(for request: LoginRequest) throws(Failure) -> DeviceDialog? {
    let router = Router(host, options, for: request)
    let showsPage = request.provider.usesLoginFlow
    guard showsPage ? router.wayOfLoginFlow == .window : router.showsCodeInWindow else { return nil }
    if !host.environment.hasDisplay { throw host.environment.noDisplay }
    router.explainFailures(of: request.provider)
    return DeviceDialog(
      router.windows(of: request.provider), opener: router.opener, isRequired: options.way == .window,
      showsPage: showsPage, observe: host.tell)
  }

  /// A token for the client itself, for a user whose password is known, or for another token.
  func directToken(for request: LoginRequest) async throws(Failure) -> Token {
    let session = DirectSession(host.dependencies)
    if request.grant == .clientCredentials { return try await session.token(ofClientIn: request) }
    if request.grant == .tokenExchange {
      return try await session.token(exchanging: try oldToken(request), in: request)
    }
    guard let user = request.loginHint else { throw .noUser }
    guard let password = options.password else {
      throw Failure(
        .invalidConfiguration, "the password is missing",
        hint: .givePassword)
    }
    // RFC 9700 section 2.4 forbids this grant.
    host.tell(.passwordGrant)
    return try await session.token(ofUser: user, password: password.revealed(), in: request)
  }

  /// The token to exchange: the id_token if its type was named, or else the access token.
  private func oldToken(_ request: LoginRequest) throws(Failure) -> AccessToken {
    let wantsIdentity = request.parameter("subject_token_type")?.hasSuffix(":id_token") == true
    let old =
      wantsIdentity ? options.exchanged?.idToken.map { AccessToken($0) } : options.exchanged?.accessToken
    guard let old else { throw .noTokenToExchange }
    return old
  }
}

extension Failure {
  /// The password grant needs a user.
  package static let noUser = Failure(
    .invalidConfiguration, "it is not clear whose password this is", hint: .nameUser)
}

extension Failure {
  fileprivate static let noTokenToExchange = Failure(
    .invalidConfiguration, "the token to exchange is missing",
    hint: .giveToken)
}

extension DeviceInstruction {
  fileprivate init(_ device: DeviceAuthorization, _ picture: CodePicture?) {
    self.init(userCode: device.userCode ?? "", verificationURI: device.verificationURI)
    completeURI = device.verificationURIComplete
    secondsLeft = device.expiresIn
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
    timer = .after(.seconds(secondsLeft - warning)) {
      let text = DesktopText.codeEnds(in: warning)
      DesktopNotification.show(text.title.text, text.sentence.text)
    }
  }
}
