// A web server whose users sign in with their browsers. Its arguments are the address of a provider, such as the one that
// `tokentry demo --serve` prints, and its own port.
import Glibc
import LoginKit

let (provider, port) = (CommandLine.arguments[1], UInt16(CommandLine.arguments[2]) ?? 8080)
var settings = try OAuthClient(issuer: provider, clientID: "tokentry-demo")
settings.login.redirectURI = try RedirectURI("http://127.0.0.1:\(port)/callback")
let client = settings
// The sign-ins under way, by the session of the browser. Servers that share the work keep them in a database, as JSON.
var pending: [String: PendingLogin] = [:]
var users: [String: String] = [:]

/// Returns the head of an answer, and its body.
@MainActor func answer(_ target: String, session: String?) async -> (head: String, body: String) {
  do throws(Failure) {
    switch target.prefix(while: { $0 != "?" }) {
    case "/login":
      let (begun, new) = (try await client.begin(scope: "openid"), newSession())
      pending[new] = begun
      let cookie = "Set-Cookie: session=\(new); Path=/; HttpOnly; SameSite=Lax"
      return ("303 See Other\r\nLocation: \(begun.url)\r\n\(cookie)", "")
    case "/callback":
      // Removed first, so that it is used once.
      guard let session, let begun = pending.removeValue(forKey: session) else {
        return ("400 Bad Request", "No sign-in has begun in this browser.")
      }
      let token = try await client.finish(begun, callback: target)
      users[session] = token.subject
      return ("303 See Other\r\nLocation: /", "")
    case "/": return ("200 OK", session.flatMap { users[$0] }.map { "You are \($0)." } ?? "Go to /login.")
    default: return ("404 Not Found", "")
    }
  } catch {
    print("no sign-in (\(error.code)): \(error)")
    return ("403 Forbidden", "The sign-in failed: \(error.code).")
  }
}

func newSession() -> String {
  var random = SystemRandomNumberGenerator()
  return String(random.next(), radix: 36) + String(random.next(), radix: 36)
}

/// Reads the head of a request, and returns its target and the session of its browser.
func request(from connection: Int32) -> (target: String, session: String?) {
  var bytes = [UInt8](repeating: 0, count: 16_384)
  let count = read(connection, &bytes, bytes.count)
  let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\r\n")
  let cookies = lines.first { $0.lowercased().hasPrefix("cookie:") }?.dropFirst(7).split(separator: ";") ?? []
  let session = cookies.lazy.map { $0.drop { $0 == " " } }.first { $0.hasPrefix("session=") }?.dropFirst(8)
  return (
    lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? "/", session.map(String.init)
  )
}

let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
var address = sockaddr_in()
(address.sin_family, address.sin_port) = (UInt16(AF_INET), port.bigEndian)
address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
let isBound = withUnsafePointer(to: &address) {
  $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
  }
}
guard isBound, listen(listener, 16) == 0 else { fatalError("the port \(port) is not free") }
signal(SIGPIPE, SIG_IGN)
while case let connection = accept(listener, nil, nil), connection >= 0 {
  let (target, session) = request(from: connection)
  let (head, body) = await answer(target, session: session)
  let text =
    "HTTP/1.1 \(head)\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
  _ = write(connection, text, text.utf8.count)
  close(connection)
}
