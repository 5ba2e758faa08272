import Foundation
import LoginCore
import TestSupport
import Testing

@testable import SecretStore

@Suite("Accounts in a folder")
struct FileStoreTests {
  @Test("What is saved is there, in a folder and files of one's own, and what is deleted is not")
  func saveAndDelete() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/a/b/")
    let name = try Sample.name("ann@mail.example")
    try await store.prepare()
    #expect(try await store.list().isEmpty)
    try await store.save(try Sample.account(name, token: "T1"))
    try await store.save(try Sample.account(name, token: "T2"))
    try await store.save(try Sample.account(try Sample.name("Почта"), token: "T3"))
    #expect(try await store.load(name).token.accessToken == AccessToken("T2"))
    #expect(try await store.list().map(\.name.description) == ["ann@mail.example", "Почта"])
    #expect(try folder.mode("a/b") == 0o700)
    #expect(try folder.mode("a/b/ann@mail.example.json") == 0o600)
    #expect(try folder.names("a/b").allSatisfy { !$0.hasSuffix(".new") && !$0.contains("probe") })
    try Data("x".utf8).write(to: URL(filePath: folder.path + "/a/b/ann@mail.example.yaml"))
    #expect(try await store.list().count == 2, "what has another ending is no account")
    try await store.delete(name)
    await expectFailure("unknown_account") { _ = try await store.load(name) }
    await expectFailure("unknown_account") { try await store.delete(name) }
    #expect(try await store.list().map(\.name.description) == ["Почта"])
  }

  @Test("Without the folder there are no accounts, and looking for one does not make it")
  func noFolder() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/none")
    #expect(try await store.list().isEmpty)
    await expectFailure("unknown_account") { _ = try await store.load(Sample.name("work")) }
    #expect(try folder.names("").isEmpty)
  }

  @Test("The nearest name is offered in place of one that is not there")
  func nearest() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    try await store.save(try Sample.account(Sample.name("work"), token: "T"))
    await #expect(throws: Failure.store(.unknownAccount("wrk", nearest: "work"))) {
      _ = try await store.load(Sample.name("wrk"))
    }
  }

  @Test(
    "A folder or a file that others can read or write is refused", arguments: [0o040, 0o020, 0o004, 0o001])
  func permissions(bits: Int) async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let name = try Sample.name("work")
    try await store.save(try Sample.account(name, token: "T"))
    chmod(folder.path + "/s/work.json", mode_t(0o600 | bits))
    let file = await expectFailure("store_unavailable") { _ = try await store.load(name) }
    #expect(file?.hint?.hasPrefix("chmod 600 ") == true)
    let stored = try #require(try await store.list().first)
    guard case .unusable(let fault) = stored.contents, stored.name == name else {
      Issue.record("\(stored.contents)")
      return
    }
    #expect(fault.reason == .open(isFolder: false))
    chmod(folder.path + "/s/work.json", 0o600)
    chmod(folder.path + "/s", mode_t(0o700 | bits))
    let refused = await expectFailure("store_unavailable") { _ = try await store.load(name) }
    #expect(refused?.hint?.hasPrefix("chmod 700 ") == true)
    await expectFailure("store_unavailable") { try await store.save(Sample.account(name, token: "N")) }
    await expectFailure("store_unavailable") { _ = try await store.list() }
    await expectFailure("store_unavailable") { try await store.prepare() }
  }

  @Test("A symbolic link is not followed, be it the file, the temporary file or the folder")
  func symbolicLinks() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let name = try Sample.name("work")
    try await store.save(try Sample.account(name, token: "T"))
    let files = FileManager.default
    try files.moveItem(atPath: folder.path + "/s/work.json", toPath: folder.path + "/elsewhere")
    try files.createSymbolicLink(
      atPath: folder.path + "/s/work.json", withDestinationPath: folder.path + "/elsewhere")
    await expectFailure("store_unavailable") { _ = try await store.load(name) }
    try files.createSymbolicLink(
      atPath: folder.path + "/s/.work.new", withDestinationPath: folder.path + "/elsewhere")
    await expectFailure("store_unavailable") { try await store.save(Sample.account(name, token: "N")) }
    try files.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: folder.path + "/s")
    for path in ["/link", "/link/", "/link//"] {
      await expectFailure("store_unavailable") { _ = try await FileStore(folder: folder.path + path).list() }
    }
  }

  @Test("What is no file of ours is refused without waiting for it: a pipe, a folder, gigabytes")
  func otherFiles() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    try await store.prepare()
    let file = folder.path + "/s/work.json"
    mkfifo(file, 0o600)
    await expectFailure("store_unavailable") { _ = try await store.load(Sample.name("work")) }
    unlink(file)
    mkdir(file, 0o700)
    await expectFailure("store_unavailable") { _ = try await store.load(Sample.name("work")) }
    rmdir(file)
    let descriptor = open(file, O_CREAT | O_WRONLY, 0o600)
    ftruncate(descriptor, 1 << 33)
    close(descriptor)
    await expectFailure("store_unavailable") { _ = try await store.load(Sample.name("work")) }
  }

  @Test("A file that belongs to another user is refused", .enabled(if: geteuid() == 0))
  func otherOwner() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    try await store.save(try Sample.account(Sample.name("work"), token: "T"))
    chown(folder.path + "/s/work.json", 12_345, 12_345)
    await expectFailure("store_unavailable") { _ = try await store.load(Sample.name("work")) }
  }

  @Test("A damaged account is that, in the list as well, and can be replaced")
  func damaged() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let name = try Sample.name("work")
    try await store.save(try Sample.account(name, token: "T"))
    truncate(folder.path + "/s/work.json", 100)
    await expectFailure("store_unavailable") { _ = try await store.load(name) }
    let contents = try #require(try await store.list().first).contents
    guard case .unreadable = contents else {
      Issue.record("\(contents)")
      return
    }
    try await store.save(try Sample.account(name, token: "N"))
    #expect(try await store.load(name).token.accessToken == AccessToken("N"))
  }

  @Test("A client is no account, and is found by its provider and its redirect URI")
  func clients() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let (client, slot) = try Sample.client(at: "https://as.example")
    let (_, other) = try Sample.client(at: "https://as.other.example")
    #expect(try await store.client(at: slot) == nil)
    try await store.save(client, at: slot)
    let areFree = await onMainLoop { () async -> Bool in
      guard let lock = try? await store.lock(slot), let second = try? await store.lock(other) else {
        return false
      }
      return withExtendedLifetime((lock, second)) { true }
    }
    #expect(areFree)
    #expect(try await store.client(at: slot) == client)
    #expect(try await store.client(at: other) == nil)
    #expect(try await store.list().isEmpty)
    let file = try #require(
      try folder.names("s").first { $0.hasPrefix(".client-") && !$0.hasSuffix(".lock") })
    #expect(try folder.mode("s/\(file)") == 0o600)
    truncate(folder.path + "/s/" + file, 20)
    await expectFailure("store_unavailable") { _ = try await store.client(at: slot) }
    try await store.deleteClient(at: slot)
    try await store.deleteClient(at: slot)
    #expect(try await store.client(at: slot) == nil)
  }

  @Test("What is left of a crash goes with its account, and room that was not used goes with who took it up")
  func leftovers() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let account = try Sample.account(Sample.name("work"), token: "T")
    try await store.save(account)
    try "half".write(toFile: folder.path + "/s/.work.new", atomically: true, encoding: .utf8)
    try await store.delete(account.name)
    #expect(try folder.names("s").isEmpty)
    try await store.save(account)
    var room: (any StoreRoom)? = try await store.reserve(for: account)
    #expect(try folder.names("s").contains(".work.new"))
    withExtendedLifetime(room) {}
    room = nil
    #expect(try folder.names("s") == ["work.json"])
    room = try await store.reserve(for: account)
    try await store.save(try Sample.account(account.name, token: "N"))
    room = nil
    #expect(try await store.load(account.name).token.accessToken == AccessToken("N"))
    let (client, slot) = try Sample.client(at: "https://as.example")
    try await store.save(client, at: slot)
    let file = try #require(try folder.names("s").first { $0.hasPrefix(".client-") })
    try "half".write(toFile: "\(folder.path)/s/\(file).new", atomically: true, encoding: .utf8)
    try await store.deleteClient(at: slot)
    #expect(try folder.names("s") == ["work.json"])
  }

  @Test("Many can find out at once that they can save")
  func preparedAtOnce() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 { group.addTask { try await store.prepare() } }
      try await group.waitForAll()
    }
    #expect(try folder.names("s").isEmpty)
  }

  @Test("Of two that want to change an account one waits; another account does not")
  func locks() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let (work, home) = (try Sample.name("work"), try Sample.name("home"))
    let order = await onMainLoop { () async -> [String] in
      let order = Order()
      var first: (any StoreLock)? = try? await store.lock(work)
      let other = try? await store.lock(home)
      order.note(other == nil ? "no lock" : "home")
      let waiting = GLibActorTask {
        let second = try? await store.lock(work)
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

  @Test("Whoever waits for a lock can be cancelled")
  func cancelledWait() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let work = try Sample.name("work")
    let code = await onMainLoop { () async -> String? in
      let first = try? await store.lock(work)
      defer { withExtendedLifetime(first) {} }
      let order = Order()
      let waiting = GLibActorTask {
        do throws(Failure) { _ = try await store.lock(work) } catch { order.note(error.code) }
      }
      await waiting.afterAWhile()
      waiting.cancel()
      await waiting.end()
      return order.notes.first
    }
    #expect(code == "cancelled")
  }
}
