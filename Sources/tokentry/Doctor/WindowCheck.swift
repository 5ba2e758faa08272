import GLibSupport
import LoginCore
import SignIn
import SoupNetwork
import WindowProtocol

/// Starts the window's program, and shows a page in it for a moment.
struct WindowCheck: Sendable {
  /// Enough for two starts of WebKit and for drawing a page.
  static let patience = Duration.seconds(9)
  /// The paths at which the window's program may be.
  let programs: [String]
  /// The name of the display.
  let display: String?
  /// True if the window must not be visible.
  let isHidden: Bool
  /// The rendering that the caller asks for.
  let asked: Rendering?
  /// The rendering that is remembered from a login.
  let remembered: Rendering?

  @GLibActor
  func findings() async -> [Finding] {
    let trial = WindowTrial(programs)
    var (screen, window) = (screen, Answer(.unknown, "it does not answer"))
    var sandbox = Answer(.unknown, "only tokentry-window can check this")
    var painting = Answer(.unknown, withMemory("not tested, because no page was shown"))
    do throws(Failure) {
      let engine = try await trial.engine()
      window = Answer(.ok, "\(engine.name, upTo: 60) starts")
      if let fault = engine.sandboxFault { throw .noSandbox(fault) }
      sandbox = Answer(.ok, "WebKit's sandbox works")
      if display != nil { painting = try await self.painting(trial) }
    } catch {
      switch error.kind {
      case .displayClosed?:
        screen = Answer(
          .failed, "the display \(display ?? "", upTo: 60) cannot be opened", hint: error.hint)
      case .noSandbox?: sandbox = Answer(.failed, error)
      default: window = Answer(.failed, error)
      }
    }
    return [
      Finding("display", screen), Finding("window", window), Finding("sandbox", sandbox),
      Finding("rendering", painting),
    ]
  }

  private var screen: Answer {
    display.map { Answer(.ok, "the display \($0, upTo: 60) works") }
      ?? Answer(
        .failed, "neither DISPLAY nor WAYLAND_DISPLAY is set",
        hint: "a window and the desktop's browser need a display; tests can use --headless-test")
  }

  /// Shows a page with visible text, from a server of our own.
  @GLibActor
  private func painting(_ trial: WindowTrial) async throws(Failure) -> Answer {
    let page: HTML =
      "<!doctype html><title>Tokentry</title><h1>Tokentry</h1><p>This window closes by itself."
    let server = try failing(HTTPServer { _ in .html(page) }) { (error: GLibError) in
      .unreachable("127.0.0.1", Message(verbatim: error.message.forDisplay(limit: 200)))
    }
    defer { withExtendedLifetime(server) {} }
    let rendering = asked ?? remembered ?? .standard
    switch try await trial.show(server.origin + "/", hidden: isHidden, rendering: rendering) {
    case true?:
      return Answer(.ok, withMemory("pages are visible with TOKENTRY_RENDERING=\(rendering.rawValue)"))
    case false?:
      return Answer(
        .warning, withMemory("pages stay blank with TOKENTRY_RENDERING=\(rendering.rawValue)"),
        hint: "a login finds out by itself what works, and remembers it")
    case nil where isHidden:
      return Answer(.unknown, withMemory("pages load; a hidden window shows no more than that"))
    case nil: return Answer(.unknown, withMemory("pages load, but something hides the window"))
    }
  }

  private func withMemory(_ message: Message) -> Message {
    remembered.map { "\(message); \($0.rawValue) is remembered from a login" } ?? message
  }
}
