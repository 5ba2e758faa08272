import Foundation
import LoginKit

let server = CommandLine.arguments[1]
var client = try OAuthClient(issuer: server, clientID: "tokentry-demo")
client.store = MemoryStore()
client.allowedOrigins = [server]
client.way = .headless(form: ["username": "ada", "password": "demo", "decision": "allow"])
client.onEvent = { print("event:", $0) }
do throws(Failure) {
  let first = try await client.signIn(scope: "profile offline_access")
  let again = try await client.freshToken()
  let forced = try await client.freshToken(forcingRefresh: true)
  print("kept", first.accessToken == again.accessToken, "forced", forced.accessToken != first.accessToken)
  let refused = try await client.request(server + "/api/admin")
  print("without asking:", refused.status, refused[header: "WWW-Authenticate"] ?? "-")
  let answer = try await client.request(server + "/api/admin", signingIn: true)
  print("after a step-up:", answer.status, try await client.keptToken()?.scope ?? "no scope")
  let fresh = try await client.request(server + "/api/admin", signingIn: true)
  print("after a newer sign-in:", fresh.status)
} catch { print(error.code, error, error.advice ?? "") }
