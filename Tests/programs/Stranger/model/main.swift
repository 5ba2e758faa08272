import Foundation
import LoginKit
import Observation

/// A view model on the main actor, under every strict setting.
@Observable
final class Model {
  enum Status { case signedOut, busy, signedIn(String), failed(String) }
  private(set) var status = Status.signedOut
  private var client: OAuthClient
  private var task: Task<Void, Never>?

  init(server: String) throws {
    client = try OAuthClient(issuer: server, clientID: "tokentry-demo")
    client.store = MemoryStore()
    client.way = .headless(form: ["username": "ada", "password": "demo", "decision": "allow"])
    client.onEvent = { event in
      Task { @MainActor in print("event on main:", event) }
    }
  }
  func signIn() {
    status = .busy
    task = Task {
      do throws(Failure) {
        let token = try await client.signIn()
        status = .signedIn(
          token.expiresAt.map { Date(timeIntervalSince1970: Double($0.secondsSince1970)).description }
            ?? "for ever")
      } catch {
        status = error.code == .cancelled ? .signedOut : .failed(error.text)
      }
    }
  }
  func cancel() { task?.cancel() }
  func wait() async { await task?.value }
}
let model = try Model(server: CommandLine.arguments[1])
model.signIn()
await model.wait()
print(model.status)
