import CGLib
import CSoup
import GLibSupport
import LoginCore

/// The exchanges of a server that are under way, and the limits they are held to.
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

  /// Takes part in everything that the server does.
  func follow(_ server: UnsafeMutablePointer<SoupServer>) {
    connect(server, argumentOf: "request-started") { [self] message in begin(message) }
    server.addHandlers(
      early: { [self] message in check(message) }, late: { [self] message in answer(message) })
  }

  /// Waits until no answer is under way, for at most half a second.
  func finish() async {
    isClosing = true
    guard isBusy, finished == nil else { return }
    let deadline = Source.timer(every: .milliseconds(500)) { [self] in finished.take()?.resume() }
    await withUnsafeContinuation { continuation in finished = continuation }
    _ = deadline  // it counts for as long as it is kept
  }

  /// Cuts whatever is under way.
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
  /// A connection waits for a request.
  private func begin(_ message: OpaquePointer) {
    let exchange = ServedExchange(message)
    if isClosing || !makeRoom() { return exchange.cut() }
    open[message] = exchange
    let object = UnsafeMutableRawPointer(message)
    connect(object, argumentOf: "got-chunk") { [self] chunk in count(g_bytes_get_size(chunk), of: message) }
    // A connection that ends between two requests is told to the message alone, not to the server.
    connect(object, "finished") { [self] in end(message) }
    connect(object, "disconnected") { [self] in end(message) }
    if sweep == nil { sweep = Source.timer(every: .seconds(1)) { [self] in cutSlow() } }
  }

  /// The header has been read: refuses what shall not be read further.
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

  /// A piece of the body has come. A client that goes on for much longer than it may is not read to its end.
  private func count(_ bytes: gsize, of message: OpaquePointer) {
    guard let exchange = open[message], exchange.phase == .reading else { return }
    let total = exchange.count(Int(bytes))
    if total > limits.bodyBytes * 16 {
      exchange.cut()
    } else if total > limits.bodyBytes, soup_server_message_get_status(message) == 0 {
      exchange.refuse(status: 413)
    }
  }

  /// The whole request is there.
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

  /// Cuts the connection that has been silent for longest where there are as many as there may be; false
  /// where all of them are being answered.
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
}
