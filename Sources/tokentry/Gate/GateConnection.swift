import GLibSupport
import Glibc
import LoginCore
import SignIn
import SoupNetwork

/// A client's connection to a gate. Requests are answered one after the other.
@GLibActor
final class GateConnection: ServedConnection {
  private let descriptor: Int32
  private let gate: Gate
  private let tokens: GateTokens
  private let log: GateLog
  /// Cancels the request in progress when the client closes the connection.
  private var watch: Source?
  private let reader: DescriptorReader
  private let writer: DescriptorWriter
  let group: String? = nil
  private(set) var silentSince: ContinuousClock.Instant? = .now

  /// A head may have as many fields and bytes as other servers allow.
  private static let mostFields = 128
  private static let headBytes = 64 * 1_024
  /// A body of at most this length is kept, so that it can be sent again with another token.
  private static let keptBytes = 1 << 20

  init(_ descriptor: Int32, to gate: Gate, _ tokens: GateTokens, log: GateLog) {
    (self.descriptor, self.gate, self.tokens, self.log) = (descriptor, gate, tokens, log)
    reader = DescriptorReader(descriptor: descriptor)
    writer = DescriptorWriter(descriptor: descriptor, isOurs: true)
  }

  func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  func serve() async {
    defer { close(descriptor) }
    // The folder keeps others out, unless somebody has opened it to them.
    if gate.door == nil, UnixSocket.peer(of: descriptor).map({ [0, geteuid()].contains($0.user) }) != true {
      return
    }
    while !Task.isCancelled, await serveRequest() { silentSince = .now }
    await linger()
  }

  /// Returns true if another request may follow.
  private func serveRequest() async -> Bool {
    do throws(GateRefusal) {
      guard let lines = try await head() else { return false }
      silentSince = nil
      let request = try GateRequest(lines)
      let body = GateBody(request.body, reader)
      do throws(GateRefusal) { return try await answer(request, body) } catch {
        log.note(request, error.status, error.failure)
        // The client may go on to send a body that nobody reads.
        return await refuse(error, request, keepsConnection: request.keepsConnection && body.isComplete)
      }
    } catch {
      log.note(nil, error.status, nil)
      return await refuse(error, nil, keepsConnection: false)
    }
  }

  /// Returns the lines of a head, or nil if the client has gone.
  private func head() async throws(GateRefusal) -> [[UInt8]]? {
    var (lines, size): ([[UInt8]], Int) = ([], 0)
    while true {
      let line: [UInt8]?
      do throws(SystemError) { line = try await reader.terminatedLine(upTo: Self.headBytes) } catch {
        guard error.code == EMSGSIZE else { return nil }
        throw GateRefusal(431, "the head of the request is too long")
      }
      guard let line else { return nil }
      if line == [0x0D] {
        // Some clients end a body with a line of its own.
        if lines.isEmpty { continue }
        return lines
      }
      lines.append(line)
      size += line.count
      if size > Self.headBytes || lines.count > Self.mostFields {
        throw GateRefusal(431, "the head of the request is too long")
      }
    }
  }

  /// Sends the request on, and its answer back. Returns true if another request may follow.
  private func answer(_ request: GateRequest, _ body: GateBody) async throws(GateRefusal) -> Bool {
    let destination = try gate.destination(of: request)
    if request.expectsSign { await write("HTTP/1.1 100 Continue\r\n\r\n") }
    let passed = ResourceRequest(passingOn: request.method, destination, headers: Gate.fields(of: request))
    let isLong = body.length.map { $0 > Self.keptBytes } ?? true
    let upload: Upload? = isLong ? try Upload(body) : nil
    let content: RequestBody?
    if let upload {
      content = upload.body
    } else if body.length == 0 {
      content = nil
    } else {
      content = .bytes(try await body.all())
    }
    let task = GLibActor.task { [tokens] () -> Result<any ResourceAnswer, Failure> in
      do throws(Failure) {
        return .success(try await tokens.answer(to: passed, content, isLong: isLong))
      } catch {
        return .failure(error)
      }
    }
    upload?.begin(orElse: { task.cancel() })
    defer { withExtendedLifetime(upload) {} }  // until the answer is passed on
    whenClientLeaves { task.cancel() }
    let result = await task.value
    watch = nil
    await upload?.end()
    if let refusal = upload?.refusal { throw refusal }
    let answer: any ResourceAnswer
    do throws(Failure) { answer = try result.get() } catch { throw GateRefusal(error) }
    log.note(request, answer.head.status, nil)
    // The server may be silent for as long as it likes.
    whenClientLeaves { GLibActor.task { await answer.abandon() } }
    defer { watch = nil }
    return await hand(answer, to: request) && body.isComplete
  }

  private func whenClientLeaves(_ giveUp: @escaping @GLibActor () -> Void) {
    // A client on a socket may only have ended its input.
    let leaves = gate.door == nil ? Source.hangUp : Source.endOfInput
    watch = leaves(descriptor) { [weak self] in
      giveUp()
      self?.watch = nil  // or it would be called again and again
    }
  }

  private func write(_ text: String) async { try? await writer.write(Array(text.utf8)) }

  private func refuse(
    _ refusal: GateRefusal, _ request: GateRequest?, keepsConnection: Bool
  ) async -> Bool {
    let body = refusal.json.text + "\n"
    var lines = [
      "HTTP/1.1 \(refusal.status) ", "Content-Type: application/json", "Cache-Control: no-store",
      "Content-Length: \(body.utf8.count)",
    ]
    if !keepsConnection { lines.append("Connection: close") }
    let head = (lines + ["", ""]).joined(separator: "\r\n")
    await write(head + (request?.method == "HEAD" ? "" : body))
    return keepsConnection
  }

  /// Closes the connection once the client has read the answer: if bytes were left unread, Linux would take it back.
  private func linger() async {
    shutdown(descriptor, Int32(SHUT_WR))
    let limit = Source.after(.seconds(1)) { [self] in cut() }
    defer { withExtendedLifetime(limit) {} }
    while let bytes = try? await reader.bytes(upTo: Self.keptBytes), !bytes.isEmpty {}
  }
}

/// The way back.
extension GateConnection {
  /// Passes an answer on as it comes. Returns true if another request may follow.
  private func hand(_ answer: any ResourceAnswer, to request: GateRequest) async -> Bool {
    let head = answer.head
    let hasBody = request.method != "HEAD" && ![204, 304].contains(head.status)
    let length = head[header: "Content-Length"].flatMap { Int($0) }
    let isChunked = hasBody && length == nil && !request.isOld
    let keepsConnection = request.keepsConnection && (!hasBody || isChunked || length != nil)
    var lines = gate.fields(of: head).map { "\($0.name): \($0.value)" }
    if isChunked { lines.append("Transfer-Encoding: chunked") }
    if let length, head.status != 204 { lines.append("Content-Length: \(length)") }
    if !keepsConnection { lines.append("Connection: close") }
    do {
      try await writer.write(
        Array("HTTP/1.1 \(head.status) \r\n\(lines.map { $0 + "\r\n" }.joined())\r\n".utf8))
      while case let bytes = try await answer.next(), !bytes.isEmpty {
        guard isChunked else {
          try await writer.write(bytes)
          continue
        }
        try await writer.write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A])
      }
      if isChunked { try await writer.write(Array("0\r\n\r\n".utf8)) }
    } catch {
      // The client sees the end of its connection in the middle of the body.
      await answer.abandon()
      return false
    }
    return keepsConnection
  }
}

/// A long body on its way from a client to the server, which reads it from a pipe only as fast as it can.
@GLibActor
private final class Upload {
  private let source: GateBody
  private let reading: Int32
  private var writing: Int32?
  private var task: Task<Void, Never>?
  private var hasEnded = false
  /// The reason for which the body is not complete.
  private(set) var refusal: GateRefusal?

  init(_ source: GateBody) throws(GateRefusal) {
    self.source = source
    do throws(SystemError) { (reading, writing) = try PipeEnds().keep() } catch {
      throw GateRefusal(503, "the gate cannot open any more files")
    }
  }

  isolated deinit {
    close(reading)
    writing.map { _ = close($0) }
  }

  var body: RequestBody { .descriptor(reading, length: source.length) }

  /// Copies the body into the pipe. If it breaks off, `giveUp` ends the request before the server could take it for whole.
  func begin(orElse giveUp: @escaping @GLibActor @Sendable () -> Void) {
    guard let writing else { return }
    task = GLibActor.task { [self] in
      let writer = DescriptorWriter(descriptor: writing, isOurs: true)
      do throws(GateRefusal) {
        while case let bytes = try await source.next(), !bytes.isEmpty {
          guard (try? await writer.write(bytes)) != nil else { return }
        }
        close(writing)
        self.writing = nil
      } catch {
        if hasEnded { return }
        refusal = error
        giveUp()
      }
    }
  }

  /// Ends the copy, if it still goes on after the server has answered.
  func end() async {
    hasEnded = true
    task?.cancel()
    await task?.value
  }
}
