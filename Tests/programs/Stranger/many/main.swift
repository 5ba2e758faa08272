import Foundation
import LoginKit

let issuer = CommandLine.arguments[1]
var client = try OAuthClient(issuer: issuer, clientID: "tokentry-demo")
client.allowedOrigins = [issuer]
client.store = MemoryStore()
client.way = .headless(form: ["username": "ada", "password": "demo", "decision": "allow"])
let c = client
try await withThrowingTaskGroup(of: Int.self) { group in
  for _ in 0..<20 {
    group.addTask { try await c.request(issuer + "/userinfo", signingIn: true).status }
  }
  var statuses: [Int] = []
  for try await status in group { statuses.append(status) }
  print(statuses)
}
