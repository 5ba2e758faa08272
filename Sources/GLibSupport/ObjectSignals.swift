import CGLib

/// Keeps the data of a C callback alive for exactly as long as C holds the pointer to it.
package final class Handler<Body> {
  private let body: Body
  package init(_ body: Body) { self.body = body }

  /// Returns the body behind a callback's data pointer.
  package static func body(_ data: gpointer) -> Body {
    Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().body
  }
}

extension Handler {
  /// Passes the body to C, which must call ``release`` for it.
  package static func retained(_ body: Body) -> gpointer {
    Unmanaged.passRetained(Handler(body)).toOpaque()
  }

  /// Releases a body that ``retained(_:)`` has passed to C.
  package static var release: @convention(c) (gpointer?) -> Void {
    { data in if let data { Unmanaged<AnyObject>.fromOpaque(data).release() } }
  }
}

/// Connects a C function to a signal of an object, with a closure as its data.
///
/// The handler runs before the default one: a `decide-policy` handler that is connected to run after WebKit's own never
/// runs.
@GLibActor
package func connect<Function, Body>(
  _ object: UnsafeMutableRawPointer, _ signal: String, _ function: Function, _ body: Body
) {
  g_signal_connect_closure(object, signal, closure(function, body), 0)
}

/// Makes a `GClosure` of a C function with a Swift closure as its data.
@GLibActor
package func closure<Function, Body>(_ function: Function, _ body: Body) -> UnsafeMutablePointer<GClosure> {
  let release: GClosureNotify = { data, _ in
    if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
  }
  return g_cclosure_new(unsafeBitCast(function, to: GCallback.self), Handler.retained(body), release)
}

/// Calls `body` for a signal without arguments.
@GLibActor
package func connect(
  _ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping @GLibActor () -> Void
) {
  let call: @GLibActor @convention(c) (gpointer, gpointer) -> Void = { _, data in
    Handler<@GLibActor () -> Void>.body(data)()
  }
  connect(object, signal, call, body)
}

/// Calls `body` when a property changes.
@GLibActor
package func connect(
  _ object: UnsafeMutableRawPointer, changeOf property: String, _ body: @escaping @GLibActor () -> Void
) {
  let call: @GLibActor @convention(c) (gpointer, gpointer, gpointer) -> Void = { _, _, data in
    Handler<@GLibActor () -> Void>.body(data)()
  }
  connect(object, "notify::\(property)", call, body)
}

/// Calls `body` with the one argument of a signal.
@GLibActor
package func connect(
  _ object: UnsafeMutableRawPointer, argumentOf signal: String,
  _ body: @escaping @GLibActor (OpaquePointer) -> Void
) {
  let call: @GLibActor @convention(c) (gpointer, OpaquePointer, gpointer) -> Void = { _, argument, data in
    Handler<@GLibActor (OpaquePointer) -> Void>.body(data)(argument)
  }
  connect(object, signal, call, body)
}

/// Calls `body` for a signal that has one argument and returns true if it was handled.
@GLibActor
package func connect(
  _ object: UnsafeMutableRawPointer, _ signal: String,
  answering body: @escaping @GLibActor (OpaquePointer?) -> Bool
) {
  let call: @GLibActor @convention(c) (gpointer, OpaquePointer?, gpointer) -> gboolean = {
    _, argument, data in
    Handler<@GLibActor (OpaquePointer?) -> Bool>.body(data)(argument) ? 1 : 0
  }
  connect(object, signal, call, body)
}
