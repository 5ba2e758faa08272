import Foundation
import TestSupport
import Testing

/// `tokentry gate` in front of a server. It ends with this object.
final class RunningGate {
  let client: GateClient
  private let program: RunningTokentry
  private let folder = TemporaryFolder()

  init(to url: String, _ options: [String] = [], environment: [String: String]) throws {
    let started = try RunningTokentry(
      ["gate", url] + options,
      environment: environment.merging(["XDG_RUNTIME_DIR": folder.path]) { $1 })
    program = started
    waitUntil { started.output.hasSuffix("\n") || !started.isRunning }
    let answer = try JSONSerialization.jsonObject(with: Data(started.output.utf8)) as? [String: String]
    client = GateClient(try #require(answer, "\(started.output) \(started.messages)"))
  }

  deinit { if program.isRunning { end() } }

  @discardableResult
  func end(_ signal: Int32 = SIGTERM) -> Outcome {
    program.end(signal)
    return program.outcome()
  }

  var identifier: pid_t { program.identifier }
  var isRunning: Bool { program.isRunning }
  var messages: String { program.messages }
  /// The files that are there while the gate runs.
  var files: [String] { FileManager.default.subpaths(atPath: folder.path) ?? [] }
}

/// A client that has read the answer of a gate.
struct GateClient: Sendable {
  private let path: String?
  private let authorization: String?
  let port: UInt16?

  init(_ answer: [String: String]) {
    (path, authorization) = (answer["socket"], answer["authorization"])
    port = answer["url"].flatMap { URL(string: $0)?.port }.map(UInt16.init)
  }

  func connection() throws -> RawConnection {
    if let path { return try RawConnection(path: path) }
    return try RawConnection(port: try #require(port))
  }

  /// The head of a request, with the fields that each needs.
  func head(_ line: String, _ fields: [String] = []) -> String {
    let host = port.map { "127.0.0.1:\($0)" } ?? "localhost"
    let own = authorization.map { ["Authorization: \($0)"] } ?? []
    return ([line + " HTTP/1.1", "Host: \(host)"] + own + fields).joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// Sends one request, and returns the answer.
  func ask(_ line: String, _ fields: [String] = [], body: String? = nil) throws -> RawAnswer {
    let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
    return RawAnswer(try send(head(line, ["Connection: close"] + length + fields) + (body ?? "")))
  }

  /// Sends bytes, and returns everything that comes back.
  func send(_ text: String) throws -> [UInt8] {
    let connection = try connection()
    connection.send(text)
    return connection.readToEnd()
  }
}

extension Services {
  /// Services, and the account `work` whose token they accept.
  static func withAccount(life: Int = 3_600, prefix: String? = nil) throws -> Services {
    let services = try Services(life: life, prefix: prefix)
    try services.writePreset()
    try services.logIn()
    return services
  }
}
