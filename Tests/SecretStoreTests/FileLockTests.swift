import TestSupport
import Testing

@testable import LoginCore
@testable import SecretStore

@Suite("Locks of accounts in a folder")
struct FileLockTests {
  @Test("A program that waited for an attempt which needs a login learns that with its own attempt")
  func needsLogin() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let name = try Sample.name("work")
    let notes = await onMainLoop { () async -> [String] in
      let order = Order()
      var first = try? await store.locks.attempt(at: name, waiting: .no)
      let waiting = GLibActorTask {
        let second = try? await store.locks.attempt(at: name, waiting: .forOutcome(maySignIn: true))
        guard case .mine(let lock)? = second else { return order.note("not mine") }
        order.note("needs login: \(lock.needsLogin), attempt \(lock.log.newest)")
      }
      await waiting.afterAWhile()
      if case .mine(let lock)? = first {
        order.note("needs login: \(lock.needsLogin), attempt \(lock.log.newest)")
        var log = lock.log
        log.end(.needsLogin)
        await lock.tell(log)
      }
      first = nil
      await waiting.end()
      return order.notes
    }
    #expect(notes == ["needs login: false, attempt 1", "needs login: true, attempt 2"])
  }

  @Test("A second lock of an account waits for the first; another account's lock does not")
  func locks() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let (work, home) = (try Sample.name("work"), try Sample.name("home"))
    let order = await onMainLoop { () async -> [String] in
      let order = Order()
      var first: (any StoreLock)? = try? await store.locks.lock(work)
      let other = try? await store.locks.lock(home)
      order.note(other == nil ? "no lock" : "home")
      let waiting = GLibActorTask {
        let second = try? await store.locks.lock(work)
        order.note(second == nil ? "no lock" : "second")
      }
      await waiting.afterAWhile()
      order.note("first")
      withExtendedLifetime(first) {}
      first = nil
      await waiting.end()
      return order.notes
    }
    #expect(order == ["home", "first", "second"])
  }

  @Test("Waiting for a lock can be cancelled")
  func cancelledWait() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let work = try Sample.name("work")
    let code = await onMainLoop { () async -> String? in
      let first = try? await store.locks.lock(work)
      defer { withExtendedLifetime(first) {} }
      let order = Order()
      let waiting = GLibActorTask {
        do throws(Failure) { _ = try await store.locks.lock(work) } catch {
          order.note(error.code.description)
        }
      }
      await waiting.afterAWhile()
      waiting.cancel()
      await waiting.end()
      return order.notes.first
    }
    #expect(code == "cancelled")
  }
}
