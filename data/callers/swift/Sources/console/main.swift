// A program at the command line. Its argument is the address of a server, such as the one that `tokentry demo --serve` prints.
import Foundation
// sample begin
import LoginKit
let server = CommandLine.arguments[1]  // such as https://id.example
do throws(Failure) {
  var client = try OAuthClient(issuer: server, clientID: "tokentry-demo")
  client.allowedOrigins = [server]
  try await client.signIn(scope: "openid profile")
  let answer = try await client.request(server + "/userinfo")
  print(String(decoding: answer.body, as: UTF8.self))
  try await client.signOut()
} catch {
  print("no answer (\(error.code)): \(error)")
}
// sample end
