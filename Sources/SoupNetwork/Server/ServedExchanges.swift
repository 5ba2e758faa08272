import CGLib
import CSoup
import GLibSupport
import LoginCore

/// The exchanges of a server that are under way, and their limits.
@GLibActor
final class ServedExchanges {
  private let hosts: LocalHosts
  private let limits: ServerLimits
  private let handler: HTTPServer.Handler
  private var open: [OpaquePointer: ServedExchange] = [:]
  private var sweep: Source?
  private var finished: UnsafeContinuation<Void, Never>?
  private var isClosing = false

  init(hosts: LocalHosts, limits: ServerLimits, handler: @escaping HTTPServer.Handler) {
    self.hosts = hosts
    self.limits = limits
    self.handler = handler
  }

  /// Handles all requests of the server from now on.
  func follow(_ server: UnsafeMutablePointer<SoupServer>) {
    connect(server, argumentOf: "request-started") { [self] message in begin(message) }
    addHandlers(
      to: server, early: { [self] message in check(message) }, late: { [self] message in answer(message) })
  }

  /// Waits until no answer is under way, at most half a second.
  func finish() async {
    isClosing = true
    guard isBusy, finished == nil else { return }
    let deadline = Source.after(.milliseconds(500)) { [self] in finished.take()?.resume() }
    await withUnsafeContinuation { continuation in finished = continuation }
    _ = deadline  // it must live until here
  }

  /// Cuts all connections.
  func forgetAll() {
    isClosing = true
    for exchange in open.values { exchange.cut() }
    open = [:]
    sweep = nil
    finished.take()?.resume()
  }

  private var isBusy: Bool {
    open.values.contains { $0.phase == .answering || $0.phase == .writing }
  }
}

/// The steps of an exchange.
extension ServedExchanges {
  /// Begins an exchange when a connection starts to wait for a request.
  private func begin(_ message: OpaquePointer) {
    let exchange = ServedExchange(message)
    if isClosing || !makeRoom() { return exchange.cut() }
    open[message] = exchange
    let object = UnsafeMutableRawPointer(message)
    connect(object, argumentOf: "got-chunk") { [self] chunk in count(g_bytes_get_size(chunk), of: message) }
    // If a connection ends between two requests, only the message is told, not the server.
    connect(object, "finished") { [self] in end(message) }
    connect(object, "disconnected") { [self] in end(message) }
    if sweep == nil { sweep = Source.every(.seconds(1)) { [self] in cutSlow() } }
  }

  /// Refuses a request, if need be, once its header has been read.
  private func check(_ message: OpaquePointer) {
    guard let exchange = open[message] else { return }
    let (host, port) = exchange.authority
    let headers = exchange.headers
    let named = headers.filter { $0.name.lowercased() == "host" }
    if named.count != 1 || !hosts.includes(field: named[0].value) || !hosts.includes(host: host, port: port) {
      exchange.refuse(status: 421)
    } else if headers.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) > limits.headerBytes {
      exchange.refuse(status: 431)
    } else if exchange.announcedBodyBytes > limits.bodyBytes {
      exchange.refuse(status: 413)
    }
  }

  /// Counts a piece of the body. A body far beyond the limit is not read to its end.
  private func count(_ bytes: gsize, of message: OpaquePointer) {
    guard let exchange = open[message], exchange.phase == .reading else { return }
    let total = exchange.count(Int(bytes))
    if total > limits.bodyBytes * 16 {
      exchange.cut()
    } else if total > limits.bodyBytes, soup_server_message_get_status(message) == 0 {
      exchange.refuse(status: 413)
    }
  }

  /// Calls the handler once the whole request has been read.
  private func answer(_ message: OpaquePointer) {
    guard let exchange = open[message], exchange.beginAnswer() else { return }
    GLibActor.task { [handler] in
      exchange.answer(await handler(exchange.request))
    }
  }

  private func end(_ message: OpaquePointer) {
    open[message] = nil
    if open.isEmpty { sweep = nil }
    if !isBusy { finished.take()?.resume() }
  }

  /// If the limit is reached, cuts the connection that has been silent for longest. Returns false if all of them are
  /// being answered.
  private func makeRoom() -> Bool {
    let living = open.values.filter { $0.phase != .cut }
    if living.count < limits.connections { return true }
    guard let oldest = living.filter({ $0.phase == .reading }).min(by: { $0.since < $1.since }) else {
      return false
    }
    oldest.cut()
    return true
  }

  private func cutSlow() {
    let now = ContinuousClock.now
    for exchange in open.values where exchange.phase == .reading || exchange.phase == .writing {
      if now - exchange.since >= limits.patience { exchange.cut() }
    }
  }

  /// Calls `early` for each request whose header has been read, and `late` for those that have been read to the end and
  /// have no answer yet.
  private func addHandlers(
    to server: UnsafeMutablePointer<SoupServer>, early: @escaping @GLibActor (OpaquePointer) -> Void,
    late: @escaping @GLibActor (OpaquePointer) -> Void
  ) {
    typealias Body = Handler<@GLibActor (OpaquePointer) -> Void>
    typealias Call =
      @GLibActor @convention(c) (gpointer, OpaquePointer, gpointer?, gpointer?, gpointer) -> Void
    let call: Call = { _, message, _, _, data in
      Handler<@GLibActor (OpaquePointer) -> Void>.body(data)(message)
    }
    let callback = unsafeBitCast(call, to: SoupServerCallback.self)
    soup_server_add_early_handler(server, nil, callback, Body.retained(early), Body.release)
    soup_server_add_handler(server, nil, callback, Body.retained(late), Body.release)
  }
}
