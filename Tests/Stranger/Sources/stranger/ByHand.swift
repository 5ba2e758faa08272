import LoginCore

/// Logs in without a session: makes and sends each request, and reads the answer.
func exchangeByHand(
  _ wanted: LoginRequest, _ agent: some UserAgent, _ dependencies: Dependencies
) async throws(Failure) -> Token {
  let login = try await wanted.completed(needing: [.authorization, .token], through: dependencies.transport)
  let request = try AuthorizationRequest(login, cryptography: dependencies.cryptography)
  let arrival = try await agent.visit(request.visit)
  let response = try AuthorizationResponse(arrival, to: request)
  let exchange = try TokenRequest(
    .code(try response.code(), redirectURI: login.redirectURI, verifier: request.binding.verifier), for: login
  )
  let answer = try TokenResponse(try await dependencies.transport.send(exchange.httpRequest))
  return try Token(answer, to: login, checks: response.checks, receivedAt: dependencies.clock.now())
}
