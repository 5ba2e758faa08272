import GLibSupport
import LoginCore

/// Takes the user to the provider in a window of a program of its own, and survives whatever happens to it.
@GLibActor
public final class WindowAgent: UserAgent {
  private let presentation: Presentation
  private let candidates: [String]
  private let hasDisplay: Bool
  private let onward: (any UserAgent)?
  private let observe: @GLibActor (Notice) -> Void
  private var window: WindowConnection?
  private var handover: Task<Result<Arrival, Failure>, Never>?

  /// How the window presents itself.
  public struct Presentation: Sendable {
    /// What the title bar says, if not what it says by default.
    public var title: String?
    /// Whether the user has no way to close it.
    public var hasNoClose = false
    /// Certificates in PEM by the hosts for which they are accepted.
    public var trust: [String: String] = [:]

    /// The window as it is by default.
    public init() {}
  }

  /// What happens in the window on the way.
  public enum Notice: Sendable {
    /// A page of another server is there.
    case page(origin: String)
    /// The window shows a failure, with which the login ends if it ends now; or it shows one no more.
    case fault(Failure?)
    /// A callback came that was no answer.
    case stray
    /// The window has ended and is started again.
    case restarted
    /// The user would rather go on in the browser.
    case left
  }

  /// `candidates` are the places where the program of the window may be, in the order in which it is looked for.
  /// `onward` is the browser, if the user may change over to it: the visit stays the same.
  public nonisolated init(
    candidates: [String], hasDisplay: Bool, presentation: Presentation = Presentation(),
    onward: (any UserAgent)? = nil,
    observe: @escaping @GLibActor (Notice) -> Void = { _ in }
  ) {
    self.candidates = candidates
    self.hasDisplay = hasDisplay
    self.presentation = presentation
    self.onward = onward
    self.observe = observe
  }

  public func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    guard hasDisplay else { throw .display(.noDisplay) }
    if let arrival = try await attempt(visit) { return arrival }
    observe(.restarted)
    if let arrival = try await attempt(visit) { return arrival }
    throw .display(.windowFailed("it ended twice"))
  }

  public func dismiss() async {
    close()
    handover?.cancel()
    await onward?.dismiss()
  }

  private func close() {
    window?.close()
    window = nil
  }

  /// Nothing if the window ended without a word.
  private func attempt(_ visit: Visit) async throws(Failure) -> Arrival? {
    let window = try WindowConnection(candidates)
    close()
    self.window = window
    window.send(.open(opening(visit)))
    return try await window.endingOnCancellation { () async throws(Failure) -> Arrival? in
      while let event = await window.next() {
        if case .switched(to: Way.browser.rawValue) = event, handover == nil { handOver(visit, to: window) }
        if let arrival = try self.arrival(of: event, in: visit) {
          window.send(.accept)
          return arrival
        }
      }
      if Task.isCancelled { throw .user(.cancelled("the login was ended")) }
      // The browser has brought the answer, or goes on although the window has failed.
      if let handover { return try await handover.value.get() }
      return nil
    }
  }

  /// Lets the browser go on with the same visit, while the window waits for what the user may bring.
  private func handOver(_ visit: Visit, to window: WindowConnection) {
    guard let onward else { return }
    observe(.left)
    window.send(.ask(question(for: visit)))
    handover = GLibActor.task { () async -> Result<Arrival, Failure> in
      let result: Result<Arrival, Failure>
      do throws(Failure) {
        result = .success(try await onward.visit(visit))
      } catch {
        result = .failure(error)
      }
      window.send(.accept)
      return result
    }
  }

  private func question(for visit: Visit, problem: PasteQuestion.Problem? = nil) -> PasteQuestion {
    PasteQuestion(
      acceptsCode: visit.acceptsBareCode, comesBack: visit.policy.redirectsHere, problem: problem)
  }

  /// What the user has pasted ends the visit, or is asked for again.
  private func arrival(pasted text: String, in visit: Visit) -> Arrival? {
    let pasted = visit.pasted(Array(text.utf8))
    if case .answer(let arrival) = pasted { return arrival }
    if let problem = pasted.problem { window?.send(.ask(question(for: visit, problem: problem))) }
    return nil
  }

  private func opening(_ visit: Visit) -> WindowOpening {
    var opening = WindowOpening(
      url: visit.url, redirectURIs: visit.policy.redirectTexts, errorPages: visit.policy.errorPageTexts)
    opening.title = presentation.title
    opening.hasNoClose = presentation.hasNoClose
    opening.trust = presentation.trust
    if onward != nil { opening.ways = [Way.browser.rawValue] }
    return opening
  }

  /// How the visit ends with what the window tells, if it does.
  private func arrival(of event: WindowEvent, in visit: Visit) throws(Failure) -> Arrival? {
    switch event {
    case .callback(let uri, let mainFrame):
      // The window's word is not enough: the redirect is compared here.
      guard case .callback(let callback) = visit.policy.decision(for: Array(uri.utf8)),
        visit.isAnswered(by: callback, mainFrame: mainFrame)
      else {
        observe(.stray)
        return nil
      }
      return .callback(callback)
    case .pasted(let text): return arrival(pasted: text, in: visit)
    case .errorPage(let uri, let body): return .errorPage(uri: uri, body: body.map { Array($0.utf8) })
    case .closed(_, let fault): throw fault?.failure ?? .user(.cancelled("the window was closed"))
    case .failed("no_display", _): throw .display(.noDisplay)
    case .failed(_, let description): throw .display(.windowFailed(description.forDisplay(limit: 200)))
    case .page(let page):
      observe(.fault(page.fault?.failure))
      if page.fault == nil, page.isLoaded { observe(.page(origin: page.origin.forDisplay(limit: 300))) }
      return nil
    case .ready, .switched: return nil
    }
  }
}
