import GLibSupport
import LoginCore
import WindowProtocol

/// Starts the window's program without a login, to see what it can do on this machine.
@GLibActor
package struct WindowTrial {
  private let candidates: [String]
  private let patience: Duration

  package struct Engine: Sendable {
    /// The name and version of the web engine.
    package let name: String
    /// Why there is no sandbox around its pages.
    package let sandboxFault: String?
  }

  /// `candidates` are the paths at which the window's program may be. `patience` is the time for a complete page to
  /// become visible; a window takes three seconds to call itself blank.
  package nonisolated init(_ candidates: [String], patience: Duration = .seconds(5)) {
    self.candidates = candidates
    self.patience = patience
  }

  private nonisolated static let installation: Failure.Hint =
    "install tokentry-window, with GTK 3 and WebKitGTK 4.1"

  /// Returns the program's web engine. No display is needed.
  package func engine() async throws(Failure) -> Engine {
    let window = try failing(WindowConnection(candidates)) { (failure: Failure) in
      failure.with(hint: Self.installation)
    }
    window.send(.check)
    return try await window.endingOnCancellation { () async throws(Failure) -> Engine in
      while let event = await window.next() {
        switch event {
        case .checked(let name, let fault): return Engine(name: name, sandboxFault: fault)
        case .failed(let error, let description): throw .reported(error, description)
        default: break
        }
      }
      throw .windowFailed("it stopped at once: one of its libraries may be missing")
        .with(hint: Self.installation)
    }
  }

  /// Shows a page until it is complete and, unless it is hidden, until it is known whether it is visible. Then closes the
  /// window. Returns nil if visibility cannot be known.
  package func show(_ url: String, hidden: Bool, rendering: Rendering) async throws(Failure) -> Bool? {
    let window = try WindowConnection(candidates)
    var options = WindowOptions()
    options.isHidden = hidden
    options.rendering = rendering
    options.hasNoClose = true
    window.send(
      .open(WindowOpening(url: url, redirectURIs: ["org.tokentry.doctor:/done"], options: options)))
    var limit: Source?
    defer { _ = limit }
    return try await window.endingOnCancellation { () async throws(Failure) -> Bool? in
      var isComplete = false
      while let event = await window.next() {
        switch event {
        case .page(let page):
          if let fault = page.fault { throw fault.failure }
          if page.isLoaded, hidden { return nil }
          if page.isLoaded, !isComplete {
            isComplete = true
            // A covered window never says whether its page is visible.
            limit = .after(patience) { window.send(.cancel) }
          }
        case .painted: return true
        case .blank: return false
        case .failed(let error, let description): throw .reported(error, description)
        default: break
        }
      }
      if isComplete { return nil }
      throw .windowFailed("it stopped without an error message")
    }
  }
}
