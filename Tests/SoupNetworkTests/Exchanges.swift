import GLibSupport
import LoginCore
import TestSupport
import Testing

@testable import SoupNetwork

/// Makes one exchange on a main loop of its own.
func exchange(
  _ request: HTTPRequest, trusted: [String: TrustedCertificate] = [:],
  limits: SoupTransport.Limits = SoupTransport.Limits(seconds: 10), authorities: Session.Authorities = .system
) async -> Result<HTTPResponse, Failure> {
  await exchanges([request], trusted: trusted, limits: limits, authorities: authorities)[0]
}

/// Makes several exchanges with one transport, one after the other.
func exchanges(
  _ requests: [HTTPRequest], trusted: [String: TrustedCertificate] = [:],
  limits: SoupTransport.Limits = SoupTransport.Limits(seconds: 10), authorities: Session.Authorities = .system
) async -> [Result<HTTPResponse, Failure>] {
  await onMainLoop { () async -> [Result<HTTPResponse, Failure>] in
    var results: [Result<HTTPResponse, Failure>] = []
    do throws(Failure) {
      let transport = try SoupTransport(
        userAgent: "test/1", trusted: trusted, limits: limits, authorities: authorities)
      for request in requests {
        do throws(Failure) {
          results.append(.success(try await transport.send(request)))
        } catch {
          results.append(.failure(error))
        }
      }
    } catch {
      results = requests.map { _ in .failure(error) }
    }
    return results
  }
}

/// What one exchange with a scripted server comes to.
func exchange(
  limits: SoupTransport.Limits = SoupTransport.Limits(seconds: 10),
  with script: @escaping ScriptedServer.Script
) async throws -> Result<HTTPResponse, Failure> {
  let server = ScriptedServer(script)
  defer { server.stop() }
  return await exchange(HTTPRequest(get: try server.endpoint()), limits: limits)
}

extension ScriptedServer {
  /// An address of this server.
  func endpoint(_ path: String = "/", scheme: String = "http", host: String = "127.0.0.1") throws -> Endpoint
  {
    try Endpoint("\(scheme)://\(host):\(port)\(path)")
  }
}

extension Result where Success == HTTPResponse, Failure == LoginCore.Failure {
  /// The failure of a network, if it is one.
  var fault: NetworkFault? {
    if case .failure(.network(let fault)) = self { fault } else { nil }
  }

  /// The answer, if there is one.
  var answer: HTTPResponse? { try? get() }
}
