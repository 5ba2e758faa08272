import TestSupport
import Testing

@testable import LoginCore
@testable import SecretStore

@Suite("The turn at an account in a folder")
struct FileTurnTests {
  @Test("Whoever has waited for an attempt that needs somebody to sign in is told so with the turn")
  func needsLogin() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let name = try Sample.name("work")
    let told = await onMainLoop { () async -> [String] in
      let order = Order()
      var first = try? await store.turn(at: name, waiting: .no)
      let waiting = GLibActorTask {
        let second = try? await store.turn(at: name, waiting: .forOutcome(maySignIn: true))
        guard case .mine(let turn)? = second else { return order.note("not mine") }
        order.note("needs login: \(turn.needsLogin), attempt \(turn.log.newest)")
      }
      await waiting.afterAWhile()
      if case .mine(let turn)? = first {
        order.note("needs login: \(turn.needsLogin), attempt \(turn.log.newest)")
        var log = turn.log
        log.end(.needsLogin)
        turn.tell(log)
      }
      first = nil
      await waiting.end()
      return order.notes
    }
    #expect(told == ["needs login: false, attempt 1", "needs login: true, attempt 2"])
  }
}
