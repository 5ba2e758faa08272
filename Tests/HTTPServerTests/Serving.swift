import GLibSupport
import LoginCore
import SoupNetwork
import TestSupport

/// Tells what was received; for `/slow` after 300 ms.
@GLibActor
func echo(_ request: HTTPServerRequest) async -> HTTPServerResponse {
  if request.path == "/slow" { await pause(.milliseconds(300)) }
  func list(_ parameters: ParameterList?) -> String {
    parameters?.parameters.map { "\($0.name):\($0.value)" }.joined(separator: ",") ?? "none"
  }
  let parts = [
    request.method, request.path, request.query ?? "", list(request.queryParameters),
    list(request.formParameters), "",
  ]
  return HTTPServerResponse(status: 200, body: Array(parts.joined(separator: "|").utf8))
}

/// Keeps the answer for `/held` until `/quick` has been asked for.
@GLibActor
final class Gate {
  private var isOpen = false

  func answer(_ request: HTTPServerRequest) async -> HTTPServerResponse {
    if request.path == "/quick" { isOpen = true }
    while !isOpen { await pause(.milliseconds(10)) }
    return await echo(request)
  }
}

/// Runs `client`, which may block, against a server that tells what it has received.
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

/// Waits on the main loop.
@GLibActor
func pause(_ duration: Duration) async {
  var source: Source?
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    var isFirst = true
    source = Source.timer(every: duration) {
      if isFirst { continuation.resume() }
      isFirst = false
    }
  }
  _ = source
}
