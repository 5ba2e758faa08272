import Foundation
import LoginKit

let issuer = CommandLine.arguments[1]
var client = try OAuthClient(issuer: issuer, clientID: "tokentry-demo")
client.store = MemoryStore()
client.way = .headless(form: ["username": "ada", "password": "demo", "decision": "allow"])
try await client.signIn(scope: "openid profile")
try await client.signOut()
do {
  _ = try await client.freshToken()
} catch {
  print(error.code, error)
}
