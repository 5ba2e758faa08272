/// A way to take the user to the provider: a window, a browser, or a list of navigations in a test.
public protocol UserAgent: Sendable {
  /// Gets ready for a visit whose page is not known yet. A window that does so while the provider is asked for its
  /// endpoints is there almost as soon as one whose page was known from the start.
  func prepare(for policy: NavigationPolicy) async
  /// Takes the user to the page and waits for what comes back. Ends early when its task is cancelled.
  func visit(_ visit: Visit) async throws(Failure) -> Arrival
  /// Ends what ``visit(_:)`` has opened: the user has come back, or will not.
  func dismiss() async
  /// Learns what has come of it, once and after ``dismiss()``. A browser that brought the answer may still say so.
  func conclude(_ conclusion: Conclusion) async
}

/// What has come of a visit.
public enum Conclusion: Sendable, Equatable {
  /// There is a token.
  case token
  /// There is none.
  case failure(Failure)
  /// It was no login: what came back is handed on.
  case answer
}

extension UserAgent {
  /// Most agents have nothing to get ready.
  public func prepare(for policy: NavigationPolicy) async {}
  /// Most agents show nothing any more by then.
  public func conclude(_ conclusion: Conclusion) async {}
}
