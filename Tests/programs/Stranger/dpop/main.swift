import Foundation
import LoginKit

let server = CommandLine.arguments[1]
var client = try OAuthClient(issuer: server, clientID: "tokentry-demo")
client.login.provider.bindsTokens = true
client.store = MemoryStore()
client.allowedOrigins = [server]
client.way = .headless(form: ["username": "ada", "password": "demo", "decision": "allow"])
do {
  let token = try await client.signIn(scope: "openid profile")
  print(token, token.proofKey?["kty"]?.string ?? "no key", token.proofKey?["d"] != nil)
  for _ in 1...5 { print("api", try await client.request(server + "/api/echo").status, terminator: " ") }
  print()
  for field in try await client.authorization(for: server + "/userinfo", method: "PUT") {
    print(field.name, field.value.prefix(20))
  }
  let account = try await client.store.find(client.accountName())
  print("PROOF", token.proofKey?.text.count ?? 0)
  print(String(decoding: account?.document ?? [], as: UTF8.self).count)
} catch { print("failed", error.localizedDescription, error) }
