import GLibSupport
import LoginCore
import LoginWays
import SoupNetwork
import UserAgents
import Wording

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
        return [displayFinding, program(engine), Self.noSandbox(.way(.noSandbox(fault))), unseen]
      }
      guard display != nil else { return [displayFinding, program(engine), Self.sandbox, unseen] }
      return await shown(trial, engine)
    } catch {
      let window = Finding(name, .failed, error.isOfWindowItself ? .failure(error) : .windowUnusable(error))
      return [displayFinding, window, Finding("sandbox", .unknown, .sandboxUnknown), unseen]
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
      switch error.way {
      case .displayClosed:
        return [
          Finding("display", .failed, .displayClosed(display ?? "")), program(engine), Self.sandbox, unseen,
        ]
      case .noSandbox: return [displayFinding, program(engine), Self.noSandbox(error), unseen]
      default:
        return [displayFinding, Finding(name, .failed, .failure(error)), Self.sandbox, unseen]
      }
    }
  }

  private var rendering: Rendering { asked ?? remembered ?? .standard }

  private var displayFinding: Finding {
    display.map { Finding("display", .ok, .display($0)) } ?? Finding("display", .failed, .noDisplay)
  }

  private func program(_ engine: WindowTrial.Engine) -> Finding { Finding(name, .ok, .engine(engine.name)) }

  private static let sandbox = Finding("sandbox", .ok, .sandbox)

  private static func noSandbox(_ failure: Failure) -> Finding {
    Finding("sandbox", .failed, .failure(failure))
  }

  private var unseen: Finding { Finding("rendering", .unknown, .nothingShown(remembered: remembered)) }

  private func painting(_ isPainted: Bool?) -> Finding {
    let state: Finding.State = isPainted.map { $0 ? .ok : .warning } ?? .unknown
    return Finding(
      "rendering", state, .painting(isPainted, rendering, hidden: isHidden, remembered: remembered))
  }
}

/// A page on this machine with something to be seen on it.
@GLibActor
private struct TrialPage {
  private let server: HTTPServer

  init() throws(Failure) {
    let page: HTML =
      "<!doctype html><title>Tokentry</title><h1>Tokentry</h1><p>This window closes by itself."
    server = try failing(HTTPServer { _ in .html(page) }) { (error: GLibError) in
      .network(.connection(host: "127.0.0.1", .system(error.message)))
    }
  }

  var url: String { server.origin + "/" }
}

extension Failure {
  /// Whether the window's program is there, and has said itself why it shows nothing.
  fileprivate var isOfWindowItself: Bool {
    if case .window(.reported)? = way { true } else { false }
  }
}
