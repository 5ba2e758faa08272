import GLibSupport
import LoginCore
import SignIn
import SoupNetwork
import WindowProtocol

/// Starts the window's program, and shows a page in it for a moment.
struct WindowCheck: Check {
  let name = "window"
  /// Enough for two starts of WebKit and for drawing a page.
  let patience = Duration.seconds(9)
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

  func findings() async -> [Finding] {
    let trial = WindowTrial(programs)
    do throws(Failure) {
      let engine = try await trial.engine()
      if let fault = engine.sandboxFault {
        return [displayFinding, program(engine), Self.noSandbox(.noSandbox(fault)), unseen]
      }
      guard display != nil else { return [displayFinding, program(engine), Self.sandbox, unseen] }
      return await shown(trial, engine)
    } catch {
      let sandbox = Finding("sandbox", .unknown, "only tokentry-window can check this")
      return [displayFinding, Finding(name, .failed, error), sandbox, unseen]
    }
  }

  /// Shows a page of our own.
  @GLibActor
  private func shown(_ trial: WindowTrial, _ engine: WindowTrial.Engine) async -> [Finding] {
    do throws(Failure) {
      let page = try TrialPage()
      defer { withExtendedLifetime(page) {} }
      let isPainted = try await trial.show(page.url, hidden: isHidden, rendering: rendering)
      return [displayFinding, program(engine), Self.sandbox, painting(isPainted)]
    } catch {
      switch error.kind {
      case .displayClosed?:
        let closed = Finding(
          "display", .failed, "the display \(display ?? "", upTo: 60) cannot be opened", hint: error.hint)
        return [closed, program(engine), Self.sandbox, unseen]
      case .noSandbox?: return [displayFinding, program(engine), Self.noSandbox(error), unseen]
      default: return [displayFinding, Finding(name, .failed, error), Self.sandbox, unseen]
      }
    }
  }

  private var displayFinding: Finding {
    display.map { Finding("display", .ok, "the display \($0, upTo: 60) works") }
      ?? Finding(
        "display", .failed, "neither DISPLAY nor WAYLAND_DISPLAY is set",
        hint: "a window and the desktop's browser need a display; tests can use --headless-test")
  }

  private func program(_ engine: WindowTrial.Engine) -> Finding {
    Finding(name, .ok, "\(engine.name, upTo: 60) starts")
  }

  private static let sandbox = Finding("sandbox", .ok, "WebKit's sandbox works")

  private static func noSandbox(_ failure: Failure) -> Finding { Finding("sandbox", .failed, failure) }

  private var rendering: Rendering { asked ?? remembered ?? .standard }

  private var unseen: Finding {
    Finding("rendering", .unknown, withMemory("not tested, because no page was shown"))
  }

  /// `isPainted` is nil if that cannot be known.
  private func painting(_ isPainted: Bool?) -> Finding {
    let name = "rendering"
    return switch isPainted {
    case true?:
      Finding(name, .ok, withMemory("pages are visible with --rendering \(rendering.rawValue)"))
    case false?:
      Finding(
        name, .warning, withMemory("pages stay blank with --rendering \(rendering.rawValue)"),
        hint: "a login finds out by itself what works, and remembers it")
    case nil where isHidden:
      Finding(name, .unknown, withMemory("pages load; a hidden window shows no more than that"))
    case nil:
      Finding(name, .unknown, withMemory("pages load, but something hides the window"))
    }
  }

  private func withMemory(_ message: Message) -> Message {
    remembered.map { "\(message); \($0.rawValue) is remembered from a login" } ?? message
  }
}

/// A page with visible text, on a server of our own.
@GLibActor
private struct TrialPage {
  private let server: HTTPServer

  init() throws(Failure) {
    let page: HTML =
      "<!doctype html><title>Tokentry</title><h1>Tokentry</h1><p>This window closes by itself."
    server = try failing(HTTPServer { _ in .html(page) }) { (error: GLibError) in
      .unreachable("127.0.0.1", Message(verbatim: error.message.forDisplay(limit: 200)))
    }
  }

  var url: String { server.origin + "/" }
}
