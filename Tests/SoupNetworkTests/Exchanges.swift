import GLibSupport
import LoginCore
import TestSupport
import Testing

@testable import SoupNetwork

/// Sends one request on a main loop of its own.
func exchange(
  _ request: HTTPRequest, trusted: [String: TrustedCertificate] = [:],
  limits: SoupTransport.Limits = SoupTransport.Limits(seconds: 10),
  authorities: ConnectionPool.Authorities = .system,
  proxies: ConnectionPool.Proxies = .system
) async -> Result<HTTPResponse, Failure> {
  await exchanges([request], trusted: trusted, limits: limits, authorities: authorities, proxies: proxies)[0]
}

/// Sends several requests over one transport, one after the other.
func exchanges(
  _ requests: [HTTPRequest], trusted: [String: TrustedCertificate] = [:],
  limits: SoupTransport.Limits = SoupTransport.Limits(seconds: 10),
  authorities: ConnectionPool.Authorities = .system,
  proxies: ConnectionPool.Proxies = .system
) async -> [Result<HTTPResponse, Failure>] {
  await onMainLoop { () async -> [Result<HTTPResponse, Failure>] in
    var results: [Result<HTTPResponse, Failure>] = []
    let transport = SoupTransport(
      userAgent: "test/1", trusted: trusted, limits: limits, authorities: authorities, proxies: proxies)
    for request in requests {
      do throws(Failure) {
        results.append(.success(try await transport.send(request)))
      } catch {
        results.append(.failure(error))
      }
    }
    return results
  }
}

/// The result of one exchange with a scripted server.
func exchange(
  limits: SoupTransport.Limits = SoupTransport.Limits(seconds: 10),
  with script: @escaping ScriptedServer.Script
) async throws -> Result<HTTPResponse, Failure> {
  try await timedExchange(limits: limits, with: script).0
}

/// The result of one exchange with a scripted server, and the time it took without waiting for the main loop.
func timedExchange(
  limits: SoupTransport.Limits, with script: @escaping ScriptedServer.Script
) async throws -> (Result<HTTPResponse, Failure>, Duration) {
  let server = ScriptedServer(script)
  defer { server.stop() }
  let request = HTTPRequest(get: try server.endpoint())
  return await onMainLoop { () async -> (Result<HTTPResponse, Failure>, Duration) in
    let started = ContinuousClock.now
    do throws(Failure) {
      let answer = try await SoupTransport(userAgent: "test/1", limits: limits).send(request)
      return (.success(answer), ContinuousClock.now - started)
    } catch {
      return (.failure(error), ContinuousClock.now - started)
    }
  }
}

extension ScriptedServer {
  /// An address of this server.
  func endpoint(_ path: String = "/", scheme: String = "http", host: String = "127.0.0.1") throws -> Endpoint
  {
    try Endpoint("\(scheme)://\(host):\(port)\(path)")
  }
}

extension Result where Success == HTTPResponse, Failure == LoginCore.Failure {
  var failure: LoginCore.Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }

  var answer: HTTPResponse? { try? get() }
}

extension Failure {
  /// True if the host cannot be reached, for any reason.
  var isUnreachable: Bool { code == .network && message.description.contains(" cannot be reached: ") }
}
