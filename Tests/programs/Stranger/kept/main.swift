import Foundation
import LoginKit

let issuer = CommandLine.arguments[1]
var client = try OAuthClient(issuer: issuer, clientID: "tokentry-demo")
client.allowedOrigins = [issuer]
client.store = .folder(CommandLine.arguments[2])
client.way = .headless(form: ["username": "ada", "password": "demo", "decision": "allow"])
client.login.scope = "openid profile offline_access"
do throws(Failure) {
  let answer = try await client.request(issuer + "/userinfo", account: "work", signingIn: true)
  print(answer.status, String(decoding: answer.body, as: UTF8.self))
  let first = try await client.freshToken(account: "work")
  let second = try await client.freshToken(account: "work")
  print("same token:", first.accessToken == second.accessToken, "refresh:", first.refreshToken != nil)
} catch {
  print("failed (\(error.code)): \(error)")
}
