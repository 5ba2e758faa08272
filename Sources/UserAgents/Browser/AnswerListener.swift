import GLibSupport
import LoginCore

/// Where a browser brings the answer by itself.
@GLibActor
public protocol AnswerListener: AnyObject, Sendable {
  /// Hands the answer to this visit to `deliver`, once. The address of one that came to another than the redirect URI
  /// is told to `miss`.
  func wait(
    for visit: Visit, deliver: @escaping @GLibActor (Arrival) -> Void,
    miss: @escaping @GLibActor (String) -> Void
  ) async throws(Failure)
  /// The port that a browser on another machine has to be led to.
  var port: UInt16? { get }
  /// An address here that leads on to a page, once; nothing where no browser asks here.
  func entrance(to url: String) -> String?
  /// Tells whoever has brought the answer what has come of it, and waits no more.
  func close(_ conclusion: Conclusion) async
}

extension AnswerListener {
  public func entrance(to url: String) -> String? { nil }
}
