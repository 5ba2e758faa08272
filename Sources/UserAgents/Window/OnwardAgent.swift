import GLibSupport
import LoginCore

/// Where the user may go on from a window: a browser, which may not open.
@GLibActor
package protocol OnwardAgent: UserAgent {
  /// Visits as other agents do. Whether the page is open is told as soon as it is known, and again if it turns out later
  /// that it is not.
  func visit(
    _ visit: Visit, opened: @escaping @GLibActor (Bool) -> Void
  ) async throws(Failure) -> Arrival
  /// Tries once more to open the page of a visit that goes on.
  func reopen(_ visit: Visit) async
}
