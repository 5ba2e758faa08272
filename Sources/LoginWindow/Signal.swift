import CWebKitGTK
import GLibSupport

/// Keeps a closure alive for exactly as long as GObject keeps the handler connected.
final class Handler<Body> {
  private let body: Body
  init(_ body: Body) { self.body = body }

  /// The closure behind the data of a signal.
  static func body(_ data: gpointer) -> Body {
    Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().body
  }
}

/// Connects a C function to a signal of an object, with a closure as its data.
///
/// Not after WebKit's own: a `decide-policy` handler that is connected to run after WebKit's own never runs.
@GLibActor
func connect<Function, Body>(
  _ object: UnsafeMutableRawPointer, _ signal: String, _ function: Function, _ body: Body
) {
  g_signal_connect_closure(object, signal, closure(function, body), 0)
}

/// What GObject calls: a C function with a closure as its data.
@GLibActor
func closure<Function, Body>(_ function: Function, _ body: Body) -> UnsafeMutablePointer<GClosure> {
  let release: GClosureNotify = { data, _ in
    if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
  }
  return g_cclosure_new(
    unsafeBitCast(function, to: GCallback.self), Unmanaged.passRetained(Handler(body)).toOpaque(), release)
}

/// Calls `body` for a signal without arguments.
@GLibActor
func connect(
  _ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping @GLibActor () -> Void
) {
  let call: @GLibActor @convention(c) (gpointer, gpointer) -> Void = { _, data in
    Handler<@GLibActor () -> Void>.body(data)()
  }
  connect(object, signal, call, body)
}

/// Calls `body` when a property has changed.
@GLibActor
func connect(
  _ object: UnsafeMutableRawPointer, changeOf property: String, _ body: @escaping @GLibActor () -> Void
) {
  let call: @GLibActor @convention(c) (gpointer, gpointer, gpointer) -> Void = { _, _, data in
    Handler<@GLibActor () -> Void>.body(data)()
  }
  connect(object, "notify::\(property)", call, body)
}

/// Answers a signal that has one argument and asks whether it has been dealt with.
@GLibActor
func connect(
  _ object: UnsafeMutableRawPointer, _ signal: String,
  answering body: @escaping @GLibActor (OpaquePointer?) -> Bool
) {
  let call: @GLibActor @convention(c) (gpointer, OpaquePointer?, gpointer) -> gboolean = {
    _, argument, data in
    Handler<@GLibActor (OpaquePointer?) -> Bool>.body(data)(argument) ? 1 : 0
  }
  connect(object, signal, call, body)
}

extension UnsafeMutablePointer {
  /// The same object as one of its superclasses or subclasses, as C's macros do it.
  func cast<Object>(to type: Object.Type = Object.self) -> UnsafeMutablePointer<Object> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
  }
}
