import Foundation
import LoginKit

let issuer = CommandLine.arguments[1]
var client = try OAuthClient(issuer: issuer, clientID: "tokentry-demo")
client.way = .window
client.store = MemoryStore()
client.name = "Notes"
do {
  let token = try await client.signIn(scope: "openid profile")
  print("signed in, expires", token.expiresAt as Any, "scope", token.members["scope"]?.string ?? "?")
  print("subject", token.claims?["sub"]?.string ?? "?")
} catch {
  print("failed (\(error.code)): \(error)")
}
