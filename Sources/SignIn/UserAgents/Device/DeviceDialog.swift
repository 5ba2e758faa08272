import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// Shows the code of a device login in a window, while the provider is asked whether the user has typed it in. If there is
/// no code (``LoginFlow``), the window shows the provider's page itself.
@GLibActor
package final class DeviceDialog {
  private let dialog: WindowDialog
  private let opener: BrowserOpener
  private let isRequired: Bool
  private let showsPage: Bool
  private let observe: @GLibActor (SignInEvent) -> Void
  private let run: Run?
  private var instruction: DeviceInstruction?
  /// The time at which the code expires.
  private var end: ContinuousClock.Instant?
  /// The user's answer to the offer of a new code, and the failure of the login without one.
  private var renewal: (answer: FirstAnswer<Void>, failure: Failure)?
  /// True once the window cannot be shown any more.
  private var isLost = false

  /// If the window `isRequired`, the login fails without it.
  package nonisolated init(
    _ host: WindowHost, opener: BrowserOpener, isRequired: Bool, showsPage: Bool = false,
    observe: @escaping @GLibActor (SignInEvent) -> Void = { _ in }
  ) {
    dialog = WindowDialog(
      host, redirectURIs: showsPage ? [LoginFlow.redirectURI] : [],
      ways: opener.isEmpty || showsPage ? [] : [.browser])
    self.opener = opener
    self.isRequired = isRequired
    self.showsPage = showsPage
    self.observe = observe
    run = host.run
  }

  package func show(_ instruction: DeviceInstruction) {
    self.instruction = instruction
    end = instruction.secondsLeft.map { .now + .seconds($0) }
    show()
  }

  private func show() {
    guard var instruction else { return }
    if showsPage { return dialog.show { .go(to: instruction.verificationURI) } }
    dialog.show { [end, opener, run] in
      instruction.secondsLeft = end.map { max(0, ContinuousClock.now.duration(to: $0).components.seconds) }
      if let left = run?.secondsLeft, left < instruction.secondsLeft ?? .max {
        (instruction.secondsLeft, instruction.outlivesSignIn) = (left, true)
      }
      return .ask(.code(instruction, opensBrowser: !opener.isEmpty))
    }
  }

  /// Offers a new code in place of the one that has expired, and returns when the user wants it. Throws `failure` if there
  /// is no window. If the user closes the window instead, the login ends with it.
  package func offerNewCode(insteadOf failure: Failure) async throws(Failure) {
    if isLost { throw failure }
    instruction?.hasExpired = true
    let answer = FirstAnswer<Void>()
    renewal = (answer, failure)
    defer { renewal = nil }
    show()
    try await answer.value {}
  }

  private func lose(_ failure: Failure) {
    isLost = true
    observe(.codeWindowLost(failure))
    if let renewal { renewal.answer.finish(.failure(renewal.failure)) }
  }

  /// Runs `body`, which waits for the user, and shows the window meanwhile. Cancels it if the user closes the window.
  package func value<Value: Sendable>(
    of body: @escaping @GLibActor @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let answer = FirstAnswer<Value>()
    do throws(Failure) { try dialog.start() } catch {
      if isRequired { throw error }
      lose(error)
      return try await body()
    }
    let watch = dialog.watch { [weak self] in
      self?.take($0)
    } ended: { [self] end in
      switch end {
      case .closed: answer.finish(.failure(renewal?.failure ?? .windowClosed))
      case .failed(let failure) where isRequired: answer.finish(.failure(failure))
      case .failed(let failure): lose(failure)
      case .answered, .over: break
      }
    }
    let work = GLibActor.task {
      do throws(Failure) { answer.finish(.success(try await body())) } catch {
        answer.finish(.failure(error))
      }
    }
    defer {
      watch.cancel()
      work.cancel()
    }
    return try await answer.value {
      watch.cancel()
      work.cancel()
    }
  }

  private func take(_ event: WindowEvent) {
    switch event {
    case .switched(to: .browser): GLibActor.task { [self] in await openBrowser() }
    case .answered(let given) where given.button == Question.Button.renew:
      renewal?.answer.finish(.success(()))
    case .warning(let text): observe(.windowWarning(text.forDisplay(limit: 200)))
    default: break
    }
  }

  private func openBrowser() async {
    guard let instruction, await !opener.open(instruction.completeURI ?? instruction.verificationURI) else {
      return
    }
    self.instruction?.lacksBrowser = true
    show()
  }
}

/// A code that the user types in on another device (RFC 8628 section 3.3).
package struct DeviceInstruction: Sendable, Equatable {
  package var userCode: String
  package var verificationURI: String
  /// The address with the code in it, if the provider has one.
  package var completeURI: String?
  /// The time that is left to type in the code.
  package var secondsLeft: Int64?
  /// True if the sign-in ends before the code expires.
  package var outlivesSignIn = false
  /// The address as a QR code.
  package var picture: CodePicture?
  /// True if the user asked for a browser and none could be opened.
  package var lacksBrowser = false
  /// True if the code has expired, and the user is asked whether to get another one.
  package var hasExpired = false

  package init(userCode: String, verificationURI: String) {
    (self.userCode, self.verificationURI) = (userCode, verificationURI)
  }
}

extension Question {
  static func code(_ device: DeviceInstruction, opensBrowser: Bool) -> Question {
    if device.hasExpired {
      return Question(
        .warning, "The code has expired", "Get a new code to continue.",
        buttons: [Button(Button.renew, "Get a _New Code" as Message)])
    }
    var question = Question(
      .device, "Sign in on another device", sentence(device),
      problem: device.lacksBrowser ? "Couldn't open a browser. Copy the address." : nil,
      buttons: opensBrowser && !device.lacksBrowser ? [.openInBrowser] : [])
    (question.address, question.code) = (device.verificationURI, device.userCode)
    (question.secondsLeft, question.endsSignIn) = (device.secondsLeft, device.outlivesSignIn)
    question.picture = device.picture
    return question
  }

  private static func sentence(_ device: DeviceInstruction) -> Message {
    switch (device.picture != nil, device.completeURI != nil) {
    case (true, true):
      """
      Scan the QR code with your phone or open this address on another device. Enter this code, or check \
      that the page shows this code.
      """
    case (true, false):
      "Scan the QR code with your phone or open this address on another device. Then enter this code."
    case (false, _): "Open this address on another device and enter this code."
    }
  }
}

extension Question.Button {
  /// Gets another code.
  static let renew = "renew"
}
