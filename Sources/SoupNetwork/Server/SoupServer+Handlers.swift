import CGLib
import CSoup
import GLibSupport

extension UnsafeMutablePointer<SoupServer> {
  /// Calls `early` for every request whose header has been read, and `late` for those that were read to the
  /// end and have no answer yet.
  @GLibActor
  func addHandlers(
    early: @escaping @GLibActor (OpaquePointer) -> Void, late: @escaping @GLibActor (OpaquePointer) -> Void
  ) {
    typealias Body = Handler<@GLibActor (OpaquePointer) -> Void>
    typealias Call =
      @GLibActor @convention(c) (gpointer, OpaquePointer, gpointer?, gpointer?, gpointer) -> Void
    let call: Call = { _, message, _, _, data in
      Handler<@GLibActor (OpaquePointer) -> Void>.body(data)(message)
    }
    let callback = unsafeBitCast(call, to: SoupServerCallback.self)
    soup_server_add_early_handler(self, nil, callback, Body.retained(early), Body.release)
    soup_server_add_handler(self, nil, callback, Body.retained(late), Body.release)
  }
}
