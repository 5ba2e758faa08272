import GLibSupport
import LoginCore
import LoginWays

/// Starts the window's program to see what it can do on this machine, without a login.
@GLibActor
package struct WindowTrial {
  private let candidates: [String]
  private let patience: Duration

  /// What the program says of itself.
  package struct Engine: Sendable {
    /// The name and version of the web engine.
    package let name: String
    /// Why there is no sandbox around its pages, if there is none.
    package let sandboxFault: String?
  }

  /// `candidates` are the places where the program may be, in the order in which it is looked for. `patience` is how
  /// long a page that is complete may take to be seen: a window looks for three seconds before it calls itself blank.
  package nonisolated init(_ candidates: [String], patience: Duration = .seconds(5)) {
    self.candidates = candidates
    self.patience = patience
  }

  /// What the program is made of. It needs no display for this.
  package func engine() async throws(Failure) -> Engine {
    let window = try WindowConnection(candidates)
    window.send(.check)
    return try await window.endingOnCancellation { () async throws(Failure) -> Engine in
      while let event = await window.next() {
        switch event {
        case .checked(let name, let fault): return Engine(name: name, sandboxFault: fault)
        case .failed(let error, let description): throw WindowConnection.failure(error, description)
        default: break
        }
      }
      throw .way(.window(.endedAtOnce))
    }
  }

  /// Shows a page until it is complete and, unless it is hidden, until it is known whether it can be seen; then the
  /// window is gone. Nothing is returned where that cannot be known.
  package func show(_ url: String, hidden: Bool, rendering: Rendering) async throws(Failure) -> Bool? {
    let window = try WindowConnection(candidates)
    var opening = WindowOpening(url: url, redirectURIs: ["org.tokentry.doctor:/done"])
    opening.isHidden = hidden
    opening.rendering = rendering
    opening.hasNoClose = true
    window.send(.open(opening))
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
            // Something in front of it keeps a window from saying anything.
            limit = .timer(every: patience) { window.send(.cancel) }
          }
        case .painted: return true
        case .blank: return false
        case .failed(let error, let description): throw WindowConnection.failure(error, description)
        default: break
        }
      }
      if isComplete { return nil }
      throw .way(.window(.endedWithoutWord))
    }
  }
}
