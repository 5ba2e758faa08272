/// A way to take the user to the provider: a window, a browser, or a list of navigations in a test.
public protocol UserAgent: Sendable {
  /// Gets ready for a visit whose page is not known yet. A window that does so while the provider is asked for its
  /// endpoints is there almost as soon as one whose page was known from the start.
  func prepare(for policy: NavigationPolicy) async
  /// Takes the user to the page and waits for what comes back. Ends early when its task is cancelled.
  func visit(_ visit: Visit) async throws(Failure) -> Arrival
  /// Ends what ``visit(_:)`` has opened: the login is over, however it ended.
  func dismiss() async
}

extension UserAgent {
  /// Most agents have nothing to get ready.
  public func prepare(for policy: NavigationPolicy) async {}
}
