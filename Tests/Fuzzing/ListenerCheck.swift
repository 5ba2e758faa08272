import CGLib
import GLibSupport
import Glibc

@testable import LoginCore
@testable import SignIn

extension Check {
  /// Requests to the server that waits for a browser's answer; `PORT` stands for its port. Only an answer with the state of
  /// the login ends it. The server neither repeats the request in a page nor redirects.
  static let listener = Check { bytes in
    let bench = ListenerBench.shared
    let sent = bytes.text.bytes.with("\(bench.port)", for: "PORT")
    let (answer, callback) = bench.send(sent)
    if let callback {
      let state = Parameters(callback.bytes, isFragment: false).values(of: "state")
      require(state.contains(ListenerBench.state), "an answer repeats the state: \(callback)")
      require(
        contains(sent, ListenerBench.state.dropFirst(8).bytes),
        "the request contains the state of \(callback)")
      require(contains(sent, "127.0.0.1".bytes), "the request names the server")
    }
    let head = answer.text.lowercased()
    require(answer.isEmpty || head.hasPrefix("http/1."), "an answer is HTTP: \(answer.text)")
    require(!head.has("\nlocation:"), "an answer does not redirect: \(answer.text)")
    require(!head.has("<c4nary"), "an answer does not repeat the request: \(answer.text)")
    if head.has("content-type: text/html") {
      require(head.has("default-src 'none'"), "a page loads nothing: \(answer.text)")
    }
  }
}

/// The server, which waits for one visit after the other.
private final class ListenerBench {
  nonisolated(unsafe) static let shared = ListenerBench()  // libFuzzer has one thread
  static let state = "St4te-of-the-login"

  private let listener: LoopbackListener
  let port: UInt16
  private let delivered = Delivered()

  /// The callback of the current visit.
  @GLibActor
  private final class Delivered: Sendable {
    var callback: String?
    nonisolated init() {}
  }

  private init() {
    let visit = Self.visit
    let delivered = delivered
    listener = GLibActor.run {
      let listener = require(
        try? LoopbackListener(
          for: require(try? RedirectURI("http://127.0.0.1/callback"), "the redirect URI is an address"),
          cryptography: PlainCryptography()),
        "the server can listen")
      listener.wait(for: visit(listener.redirectURI)) { arrival in Self.note(arrival, delivered) }
      return listener
    }
    port = GLibActor.run { [listener] in listener.port ?? 0 }
  }

  private static let visit: @Sendable (RedirectURI) -> Visit = { redirect in
    Visit(
      url: "https://as.example/", policy: NavigationPolicy(redirectURI: redirect), state: OAuthState(state))
  }

  @GLibActor
  private static func note(_ arrival: Arrival, _ delivered: Delivered) {
    if case .callback(let callback) = arrival { delivered.callback = (try? callback.text()) ?? "" }
  }

  /// Sends a request. Returns the answer, and the callback if it ended the visit.
  func send(_ bytes: [UInt8]) -> (answer: [UInt8], callback: String?) {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(client) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // A reset connection does not occupy its port any longer.
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return ([], nil) }
    _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    shutdown(client, Int32(SHUT_WR))
    let answer = read(client)
    return (answer, takeDelivered())
  }

  /// Reads until the server waits for more. It runs only in the main loop.
  private func read(_ client: Int32) -> [UInt8] {
    var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
    while true {
      var isBusy = false
      while g_main_context_iteration(nil, 0) != 0 { isBusy = true }
      let count = recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 { answer += buffer[..<count] }
      if count == 0 || count < 0 && (errno != EAGAIN || !isBusy) { return answer }
    }
  }

  private func takeDelivered() -> String? {
    GLibActor.run { [listener, delivered] in
      guard let callback = delivered.callback else { return nil }
      delivered.callback = nil
      listener.wait(for: Self.visit(listener.redirectURI)) { arrival in Self.note(arrival, delivered) }
      return callback
    }
  }
}
