import Foundation
import Synchronization

extension StandInServer {
  /// An answer, and how fast and how completely it is written.
  public struct Answer: Sendable {
    let status: Int
    let headers: [String]
    let body: [UInt8]
    private var pace = Pace.atOnce

    private enum Pace {
      case atOnce
      /// Byte by byte with a pause before each. The pauses begin with the header or with the body.
      case slow(Double, fromHeader: Bool)
      /// Repeats the body until the client disconnects.
      case endless
      /// Closes the connection before the end: `Content-Length` says more than is sent.
      case cut
      /// Sends the test's own bytes, then closes or resets the connection.
      case raw(isReset: Bool)
      /// Keeps the connection open without an answer until the client disconnects.
      case silent
      /// Closes the connection without an answer.
      case none
    }

    /// `headers` are lines such as `Location: /`.
    public init(_ status: Int, _ headers: [String] = [], _ body: String = "") {
      self.init(status, headers, bytes: Array(body.utf8))
    }

    public init(_ status: Int, _ headers: [String], bytes: [UInt8]) {
      self.status = status
      self.headers = headers
      body = bytes
    }

    public static func json(_ body: String, status: Int = 200) -> Answer {
      Answer(status, ["Content-Type: application/json"], body)
    }

    public static func html(_ body: String) -> Answer { Answer(200, ["Content-Type: text/html"], body) }

    public static func redirect(_ location: String, status: Int = 302) -> Answer {
      Answer(status, ["Location: \(location)"])
    }

    /// Closes the connection without an answer.
    public static var hangUp: Answer { Answer(0).paced(.none) }

    /// Sends these bytes instead of an HTTP answer.
    public static func raw(_ bytes: [UInt8], isReset: Bool = false) -> Answer {
      Answer(0, [], bytes: bytes).paced(.raw(isReset: isReset))
    }

    /// Sends no answer and keeps the connection open.
    public static var silence: Answer { Answer(0).paced(.silent) }

    /// This answer, broken off after `count` bytes.
    public func broken(after count: Int, isReset: Bool = false) -> Answer {
      .raw(Array((head + body).prefix(count)), isReset: isReset)
    }

    /// The number of bytes in the header.
    public var headSize: Int { head.count }

    /// This answer with a pause of so many seconds before each byte, beginning with the header.
    public func slow(_ seconds: Double) -> Answer { paced(.slow(seconds, fromHeader: true)) }

    /// This answer with a pause of so many seconds before each byte of the body.
    public func slowBody(_ seconds: Double) -> Answer { paced(.slow(seconds, fromHeader: false)) }

    /// This answer with its body repeated without end.
    public var endless: Answer { paced(.endless) }

    /// This answer with a `Content-Length` that promises 100 bytes more than come.
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

    /// Sends the answer, or as much of it as the client takes before it disconnects.
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

extension StandInServer {
  /// A provider of the device flow that gives out codes at `/codes`. `answer` answers each request for a token and gets
  /// its number, counted from zero. `BASE` in `more` stands for the server's address.
  public static func givingCodes(
    life: Int = 60, more: String = "", _ answer: @escaping @Sendable (Int) -> Answer
  ) throws -> StandInServer {
    let count = Mutex(0)
    return try StandInServer { request, base in
      if request.path == "/codes" {
        return .json(
          """
          {"device_code":"D","user_code":"WDJB-MJHT","verification_uri":"\(base)/device","expires_in":\(life),
          "interval":1\(more.replacing("BASE", with: base))}
          """)
      }
      return answer(
        count.withLock { count in
          defer { count += 1 }
          return count
        })
    }
  }

  /// A provider of the device flow that gives these answers to requests for a token and repeats the last one.
  public static func givingCodes(
    life: Int = 60, more: String = "", _ answers: [Answer]
  ) throws -> StandInServer {
    try givingCodes(life: life, more: more) { answers[min($0, answers.count - 1)] }
  }

  /// The command-line options of a login in the device flow.
  public var deviceOptions: [String] {
    [
      "login", "--endpoint", "device_authorization=\(base)/codes", "--endpoint", "token=\(base)/token",
      "--client-id", "me", "--scope", "mail",
    ]
  }
}
