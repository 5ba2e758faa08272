import GLibSupport
import LoginCore
import SoupNetwork
import TestSupport

/// Answers with the parts of the request, for `/slow` after 300 ms.
@GLibActor
func echo(_ request: HTTPServerRequest) async -> HTTPServerResponse {
  if request.path == "/slow" { try? await pause(for: .milliseconds(300)) }
  func list(_ parameters: ParameterList?) -> String {
    parameters?.parameters.map { "\($0.name):\($0.value)" }.joined(separator: ",") ?? "none"
  }
  let parts = [
    request.method, request.path, request.query ?? "", list(request.queryParameters),
    list(request.formParameters), "",
  ]
  return HTTPServerResponse(status: 200, body: Array(parts.joined(separator: "|").utf8))
}

/// Delays the answer to `/held` until `/quick` is requested.
@GLibActor
final class Gate {
  private var isOpen = false

  func answer(_ request: HTTPServerRequest) async -> HTTPServerResponse {
    if request.path == "/quick" { isOpen = true }
    while !isOpen { try? await pause(for: .milliseconds(10)) }
    return await echo(request)
  }
}

/// Runs `client`, which may block, with the port of a server whose handler is ``echo(_:)`` unless another one is given.
func serving<Result: Sendable>(
  on loopback: HTTPServer.Loopback = .ipv4, limits: ServerLimits = ServerLimits(),
  handler: @escaping HTTPServer.Handler = echo,
  _ client: @escaping @Sendable (UInt16) throws -> Result
) async throws -> Result {
  try await onMainLoop { () async -> Swift.Result<Result, any Error> in
    do {
      let server = try HTTPServer(on: loopback, limits: limits, handler: handler)
      let port = server.port
      let result = try await onThread { try client(port) }
      await server.close()
      return .success(result)
    } catch {
      return .failure(error)
    }
  }.get()
}
