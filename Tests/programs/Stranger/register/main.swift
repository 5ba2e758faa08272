import Foundation
import LoginKit

let issuer = CommandLine.arguments[1]
var client = try OAuthClient(issuer: issuer)
client.store = .folder(CommandLine.arguments[2])
client.name = "Notes"
client.way = .headless(form: ["username": "ada", "password": "demo", "decision": "allow"])
let token = try await client.signIn(scope: "openid profile")
print("client that was registered:", try await client.clientID() ?? "none")
print("token", token.accessToken ?? "-")
try await client.forgetClient()
