import Foundation
import LoginKit

var client = try OAuthClient(issuer: CommandLine.arguments[1], clientID: "tokentry-demo")
client.store = MemoryStore()
client.way =
  CommandLine.arguments[2] == "window" ? .window : CommandLine.arguments[2] == "device" ? .device : .browser
let task = Task { [client] in try await client.signIn() }
try await Task.sleep(for: .seconds(Double(CommandLine.arguments[3]) ?? 1))
let start = ContinuousClock.now
task.cancel()
do {
  _ = try await task.value
} catch let error as Failure where error.code == .cancelled {
  print("cancelled", ContinuousClock.now - start)
} catch {
  print("other", error)
}
