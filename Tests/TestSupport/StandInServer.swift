import Foundation

/// A web server on 127.0.0.1 that answers as the test says and records every request.
public final class StandInServer: Sendable {
  public struct Request: Sendable {
    public let method: String
    /// The path with its query.
    public let target: String
    /// The header fields, with their names in lower case.
    public let headers: [String: String]
    public let body: String
    /// Returns true once the client has closed the connection.
    public let isAbandoned: @Sendable () -> Bool

    /// The path without the query.
    public var path: String { target.split(separator: "?").first.map(String.init) ?? "/" }
  }

  private let listener: Int32
  /// Decrypts the requests, if the server speaks TLS.
  private let front: ScriptedServer?
  /// The server's address without a trailing slash.
  public let base: String
  private let seen = Memory()

  /// The requests, which many threads add. ThreadSanitizer does not understand the hand-over of Swift's `Mutex` to a
  /// waiting thread and would report a race; it understands `NSLock`.
  private final class Memory: @unchecked Sendable {
    private let lock = NSLock()
    private var requests: [Request] = []

    func add(_ request: Request) { lock.withLock { requests.append(request) } }
    var all: [Request] { lock.withLock { requests } }
  }

  /// Listens on a free port. `answer` is called on the server's threads. With an identity the server speaks TLS.
  public init(
    identity: TestAuthority.Identity? = nil,
    _ answer: @escaping @Sendable (Request, _ base: String) -> Answer
  ) throws {
    // A program that a test starts meanwhile must not inherit the socket.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutableBytes(of: &address) { bytes in
      let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      return bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
        && getsockname(listener, pointer, &length) == 0
    }
    guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
    let port = UInt16(bigEndian: address.sin_port)
    front = identity.map { ScriptedServer(identity: $0, offersHTTP2: false) { $0.pass(to: port) } }
    let base = front.map { "https://127.0.0.1:\($0.port)" } ?? "http://127.0.0.1:\(port)"
    self.base = base
    Thread.detachNewThread { [weak self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { [weak self] in
          if let request = Self.read(connection) {
            self?.seen.add(request)
            answer(request, base).write(to: connection)
          }
          close(connection)
        }
      }
      close(listener)
    }
  }

  /// Wakes the thread, which then closes the descriptor. Closing it here could free its number while the thread uses it.
  deinit {
    front?.stop()
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// The requests so far.
  public var requests: [Request] { seen.all }

  /// The number of requests for a path.
  public func hits(_ path: String) -> Int { requests.count { $0.path == path } }

  /// Returns the first `count` bytes, or nil if they have not all arrived.
  private static func whole(_ data: Data, _ count: Int) -> String? {
    data.count < count ? nil : String(decoding: data.prefix(count), as: UTF8.self)
  }

  /// Decodes a body in chunks (RFC 9112 section 7.1) without trailers. Returns nil if the last chunk has not arrived.
  private static func unchunked(_ data: Data) -> String? {
    var (rest, body) = (data, Data())
    while let line = rest.range(of: Data("\r\n".utf8)),
      let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16)
    {
      let chunk = rest[line.upperBound...]
      guard chunk.count >= size + 2 else { return nil }
      if size == 0 { return String(decoding: body, as: UTF8.self) }
      body += chunk.prefix(size)
      rest = chunk.dropFirst(size + 2)
    }
    return nil
  }

  private static func read(_ connection: Int32) -> Request? {
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = data.range(of: Data("\r\n\r\n".utf8)) {
        let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          guard let colon = line.firstIndex(of: ":") else { continue }
          headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
            in: .whitespaces)
        }
        let isChunked = headers["transfer-encoding"] == "chunked"
        let body =
          isChunked
          ? unchunked(data[end.upperBound...])
          : whole(data[end.upperBound...], headers["content-length"].flatMap { Int($0) } ?? 0)
        if let body, words.count >= 2 {
          return Request(
            method: String(words[0]), target: String(words[1]), headers: headers, body: body,
            isAbandoned: {
              var byte: UInt8 = 0
              return recv(connection, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
                || errno != EAGAIN
            })
        }
      }
      let count = recv(connection, &chunk, chunk.count, 0)
      if count <= 0 { return nil }
      data.append(contentsOf: chunk[..<count])
    }
  }
}

extension StandInServer.Request {
  /// The decoded parameters of the query, in order.
  public var queryItems: [URLQueryItem] {
    Self.items(target.components(separatedBy: "?").dropFirst().joined(separator: "?"))
  }

  /// The decoded parameters of the body, in order.
  public var formItems: [URLQueryItem] { Self.items(body) }

  /// The parameters of the query by name.
  public var query: [String: String] { Self.byName(queryItems) }

  /// The parameters of the body by name.
  public var form: [String: String] { Self.byName(formItems) }

  private static func items(_ text: String) -> [URLQueryItem] {
    text.split(separator: "&").map { pair in
      let halves = pair.replacingOccurrences(of: "+", with: " ").split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = halves.map { $0.removingPercentEncoding ?? "" }
      return URLQueryItem(name: texts[0], value: texts.count > 1 ? texts[1] : "")
    }
  }

  /// A repeated parameter has both values, so that a test notices the repetition.
  private static func byName(_ items: [URLQueryItem]) -> [String: String] {
    Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $0 + "," + $1 })
  }
}
