import Foundation
import LoginKit

// A service without a main loop. The user signs in on another device, once for all tasks.
// Its handler for broken connections must stay in place.
signal(SIGPIPE) { _ in }
let server = CommandLine.arguments[1]
var settings = try OAuthClient(issuer: server, clientID: "tokentry-demo")
settings.allowedOrigins = [server]
settings.store = Accounts()
let client = settings
try await withThrowingTaskGroup { tasks in
  for _ in 1...10 {
    tasks.addTask { try await client.request(server + "/userinfo", signingIn: true).status }
  }
  for try await status in tasks { print(status) }
}
