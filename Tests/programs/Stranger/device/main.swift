import Foundation
import LoginKit

var client = try OAuthClient(issuer: CommandLine.arguments[1], clientID: "tokentry-demo")
client.way = .device
client.store = MemoryStore()
client.onEvent = { event in
  switch event {
  case .code(let device):
    print(
      "visit", device.verificationURI, "code", device.userCode ?? "-", "complete",
      device.verificationURIComplete ?? "-")
    print("expires in", device.expiresIn)
  default: print(event)
  }
}
let token = try await client.signIn(scope: "x")
print("token", token.accessToken ?? "none")
