import Foundation
import LoginKit

extension Failure: @retroactive LocalizedError { public var errorDescription: String? { text } }

let server = CommandLine.arguments[1]
var client = try OAuthClient(issuer: server, clientID: "tokentry-demo")
client.store = .folder(CommandLine.arguments[2])
client.allowedOrigins = [server]
client.way = .headless(form: ["username": "ada", "password": "demo", "decision": "allow"])
let (events, continuation) = AsyncStream.makeStream(of: OAuthClient.Event.self)
client.onEvent = { continuation.yield($0) }
let observer = Task {
  for await event in events {
    switch event {
    case .begun: print("  begun")
    case .signedIn(let account): print("  signed in:", account.name)
    case .failed(let failure): print("  failed:", failure.code)
    default: print("  ", event)
    }
  }
}
do {
  for name in ["home", "work", "school"] { try await client.signIn(account: name) }
  print(try await client.store.list().map(\.name.description))
  // Signs out everywhere.
  for account in try await client.store.list() { try await client.signOut(account: account.name.description) }
  print(try await client.store.list().count)
  _ = try await client.freshToken(account: "work")
} catch let error as Failure where error.code == .unknownAccount {
  let known: any Error = error
  print("signed out everywhere:", known.localizedDescription)
} catch { print("failed", error) }
continuation.finish()
await observer.value
