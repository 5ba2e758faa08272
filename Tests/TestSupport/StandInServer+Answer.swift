import Foundation

extension StandInServer {
  /// What is answered, and how it is written.
  public struct Answer: Sendable {
    let status: Int
    let headers: [String]
    let body: [UInt8]
    private var pace = Pace.atOnce

    /// How an answer is written.
    private enum Pace {
      /// As fast as it is read.
      case atOnce
      /// Byte by byte, with so many seconds before each, from the header or only from the body on.
      case slow(Double, fromHeader: Bool)
      /// With its body again and again, for as long as somebody reads.
      case endless
      /// With the promise of more than comes.
      case cut
      /// As bytes of which the test knows best what they are; then the connection ends, or is reset.
      case raw(isReset: Bool)
      /// Not at all, until the client has gone.
      case silent
      /// Not at all.
      case none
    }

    /// An answer with header fields such as `Location: /`.
    public init(_ status: Int, _ headers: [String] = [], _ body: String = "") {
      self.init(status, headers, bytes: Array(body.utf8))
    }

    /// An answer whose body is no text.
    public init(_ status: Int, _ headers: [String], bytes: [UInt8]) {
      self.status = status
      self.headers = headers
      body = bytes
    }

    /// An answer in JSON.
    public static func json(_ body: String, status: Int = 200) -> Answer {
      Answer(status, ["Content-Type: application/json"], body)
    }

    /// A page.
    public static func html(_ body: String) -> Answer { Answer(200, ["Content-Type: text/html"], body) }

    /// A redirect.
    public static func redirect(_ location: String, status: Int = 302) -> Answer {
      Answer(status, ["Location: \(location)"])
    }

    /// The end of the connection in the place of an answer.
    public static var hangUp: Answer { Answer(0).paced(.none) }

    /// These bytes in the place of an answer.
    public static func raw(_ bytes: [UInt8], isReset: Bool = false) -> Answer {
      Answer(0, [], bytes: bytes).paced(.raw(isReset: isReset))
    }

    /// Nothing, for as long as the client waits for it.
    public static var silence: Answer { Answer(0).paced(.silent) }

    /// The same with only so many of its bytes.
    public func broken(after count: Int, isReset: Bool = false) -> Answer {
      .raw(Array((head + body).prefix(count)), isReset: isReset)
    }

    /// How many bytes the header has.
    public var headSize: Int { head.count }

    /// The same, with so many seconds before each of its bytes, those of the header included.
    public func slow(_ seconds: Double) -> Answer { paced(.slow(seconds, fromHeader: true)) }

    /// The same, with so many seconds before each byte of its body.
    public func slowBody(_ seconds: Double) -> Answer { paced(.slow(seconds, fromHeader: false)) }

    /// The same without an end: its body is repeated.
    public var endless: Answer { paced(.endless) }

    /// The same, broken off: it has promised more.
    public var cut: Answer { paced(.cut) }

    private func paced(_ pace: Pace) -> Answer {
      var answer = self
      answer.pace = pace
      return answer
    }

    private var head: [UInt8] {
      var fields = ["HTTP/1.1 \(status) Answer", "Connection: close"] + headers
      switch pace {
      case .atOnce, .slow: fields.append("Content-Length: \(body.count)")
      case .cut: fields.append("Content-Length: \(body.count + 100)")
      case .endless, .none, .raw, .silent: break
      }
      return Array((fields.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Sends it, until it has been sent or nobody reads any more.
    func write(to connection: Int32) {
      switch pace {
      case .atOnce, .cut: Self.send(head + body, to: connection)
      case .endless:
        guard Self.send(head, to: connection) else { return }
        while Self.send(body, to: connection) {}
      case .slow(let seconds, let fromHeader):
        if !fromHeader { Self.send(head, to: connection) }
        for byte in fromHeader ? head + body : body {
          Thread.sleep(forTimeInterval: seconds)
          guard Self.send([byte], to: connection) else { return }
        }
      case .raw(let isReset):
        Self.send(body, to: connection)
        if isReset {
          var linger = linger(l_onoff: 1, l_linger: 0)
          setsockopt(
            connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        }
      case .silent:
        var entry = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, -1)
      case .none: break
      }
    }

    @discardableResult
    private static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}
