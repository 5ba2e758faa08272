import GLibSupport
import LoginCore
import SoupNetwork
import UserAgents

/// Looks whether a window can be shown: by asking its program, and by showing a page in it for a moment.
struct WindowCheck: Check {
  let name = "window"
  /// Two starts of WebKit, and the look at a page.
  let patience = Duration.seconds(9)
  let programs: [String]
  /// The display's name.
  let display: String?
  /// Whether nothing is to be seen of it.
  let isHidden: Bool
  /// What the page is to be drawn with, by the caller's wish or from memory.
  let asked: Rendering?
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
      let window = Finding(
        name, .failed, error.message, hint: "install tokentry-window, with GTK 3 and WebKitGTK 4.1")
      let sandbox = Finding("sandbox", .unknown, "only the window's program can tell")
      return [displayFinding, window, sandbox, unseen]
    }
  }

  /// What comes of a page of our own.
  @GLibActor
  private func shown(_ trial: WindowTrial, _ engine: WindowTrial.Engine) async -> [Finding] {
    do throws(Failure) {
      let page = try TrialPage()
      defer { withExtendedLifetime(page) {} }
      let isPainted = try await trial.show(page.url, hidden: isHidden, rendering: rendering)
      return [displayFinding, program(engine), Self.sandbox, painting(isPainted)]
    } catch {
      switch error {
      case .display(.noDisplay):
        let display = Finding(
          "display", .failed, "the display \(display ?? "") cannot be opened".forDisplay(limit: 100),
          hint: "run it as the user of the desktop, or see DISPLAY, WAYLAND_DISPLAY and XAUTHORITY")
        return [display, program(engine), Self.sandbox, unseen]
      case .display(.noSandbox(let reason)):
        return [displayFinding, program(engine), Self.noSandbox(.noSandbox(reason)), unseen]
      default: return [displayFinding, Finding(name, .failed, error.message), Self.sandbox, unseen]
      }
    }
  }

  private var rendering: Rendering { asked ?? remembered ?? .standard }

  private var displayFinding: Finding {
    guard let display else {
      return Finding(
        "display", .failed, "neither DISPLAY nor WAYLAND_DISPLAY is set",
        hint: "a window and a desktop's browser need one; in tests there is --headless-test")
    }
    return Finding("display", .ok, "\(display.forDisplay(limit: 60)) is there")
  }

  private func program(_ engine: WindowTrial.Engine) -> Finding {
    Finding(name, .ok, "\(engine.name.forDisplay(limit: 60)) starts")
  }

  private static let sandbox = Finding("sandbox", .ok, "WebKit's sandbox works")

  private static func noSandbox(_ fault: DisplayFault) -> Finding {
    let failure = Failure.display(fault)
    return Finding("sandbox", .failed, failure.message, hint: failure.hint)
  }

  private var unseen: Finding {
    Finding("rendering", .unknown, "no page was shown, so nothing is known of it\(memory)")
  }

  private func painting(_ isPainted: Bool?) -> Finding {
    let way = rendering.rawValue
    return switch isPainted {
    case true?: Finding("rendering", .ok, "pages can be seen with --rendering \(way)\(memory)")
    case false?:
      Finding(
        "rendering", .warning, "pages stay blank with --rendering \(way)\(memory)",
        hint: "a login finds out by itself what works, and remembers it")
    case nil where isHidden:
      Finding("rendering", .unknown, "pages load; a hidden window does not tell more\(memory)")
    case nil:
      Finding("rendering", .unknown, "pages load; something keeps the window from being seen\(memory)")
    }
  }

  private var memory: String { remembered.map { "; \($0.rawValue) is remembered from a login" } ?? "" }
}

/// A page on this machine with something to be seen on it.
@GLibActor
private struct TrialPage {
  private let server: HTTPServer

  init() throws(Failure) {
    do throws(GLibError) {
      server = try HTTPServer { _ in
        .html("<!doctype html><title>Tokentry</title><h1>Tokentry</h1><p>This window closes by itself.")
      }
    } catch {
      throw .network(.connection(host: "127.0.0.1", reason: error.message))
    }
  }

  var url: String { server.origin + "/" }
}
