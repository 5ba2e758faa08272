import GLibSupport
import LoginCore

/// Where a browser brings the answer by itself.
@GLibActor
public protocol AnswerListener: AnyObject, Sendable {
  /// Hands the answer to this visit to `deliver`, once.
  func wait(for visit: Visit, deliver: @escaping @GLibActor (Arrival) -> Void) async throws(Failure)
  /// The port that a browser on another machine has to be led to.
  var port: UInt16? { get }
  /// Lets what is under way reach its reader, and waits no more.
  func close() async
}
