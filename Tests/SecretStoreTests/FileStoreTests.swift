import Foundation
import LoginCore
import TestSupport
import Testing

@testable import SecretStore

@Suite("Accounts in a folder")
struct FileStoreTests {
  @Test("Accounts can be saved, listed, loaded and deleted; their folder and files are private")
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
    #expect(try await store.list().count == 2, "a file with another extension is not an account")
    try await store.delete(name)
    await expectFailure("unknown_account") { _ = try await store.load(name) }
    await expectFailure("unknown_account") { try await store.delete(name) }
    #expect(try await store.list().map(\.name.description) == ["Почта"])
  }

  @Test("A missing folder means no accounts, and reading does not make the folder")
  func noFolder() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/none")
    #expect(try await store.list().isEmpty)
    await expectFailure("unknown_account") { _ = try await store.load(Sample.name("work")) }
    #expect(try folder.names("").isEmpty)
  }

  @Test("An unknown name gets the nearest name as a hint")
  func nearest() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    try await store.save(try Sample.account(Sample.name("work"), token: "T"))
    await #expect(throws: Failure.unknownAccount("wrk", nearest: "work")) {
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
    #expect(file?.hint?.text?.description.hasPrefix("chmod 600 ") == true)
    let stored = try #require(try await store.list().first)
    guard case .unreadable(let reason) = stored.contents, stored.name == name else {
      Issue.record("\(stored.contents)")
      return
    }
    #expect(reason == "\(folder.path)/s/work.json can be read or written by other users")
    chmod(folder.path + "/s/work.json", 0o600)
    chmod(folder.path + "/s", mode_t(0o700 | bits))
    let refused = await expectFailure("store_unavailable") { _ = try await store.load(name) }
    #expect(refused?.hint?.text?.description.hasPrefix("chmod 700 ") == true)
    await expectFailure("store_unavailable") { try await store.save(Sample.account(name, token: "N")) }
    await expectFailure("store_unavailable") { _ = try await store.list() }
    await expectFailure("store_unavailable") { try await store.prepare() }
  }

  @Test("A damaged account is reported and listed as unreadable, and can be replaced")
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

  @Test("A registered client is found by provider and redirect URI, and is not listed as an account")
  func clients() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let (client, slot) = try Sample.client(at: "https://as.example")
    let (_, other) = try Sample.client(at: "https://as.other.example")
    #expect(try await store.client(at: slot) == nil)
    try await store.save(client, at: slot)
    let areFree = await onMainLoop { () async -> Bool in
      guard let lock = try? await store.locks.lock(slot), let second = try? await store.locks.lock(other)
      else {
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

  @Test("Leftovers of a crash are deleted with their account, and unused reserved space is released")
  func leftovers() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    let account = try Sample.account(Sample.name("work"), token: "T")
    try await store.save(account)
    try "half".write(toFile: folder.path + "/s/.work.new", atomically: true, encoding: .utf8)
    try await store.delete(account.name)
    #expect(try folder.names("s").isEmpty)
    try await store.save(account)
    var space: (any ReservedSpace)? = try await store.reserve(for: account)
    #expect(try folder.names("s").contains(".work.new"))
    withExtendedLifetime(space) {}
    space = nil
    #expect(try folder.names("s") == ["work.json"])
    space = try await store.reserve(for: account)
    try await store.save(try Sample.account(account.name, token: "N"))
    space = nil
    #expect(try await store.load(account.name).token.accessToken == AccessToken("N"))
    let (client, slot) = try Sample.client(at: "https://as.example")
    try await store.save(client, at: slot)
    let file = try #require(try folder.names("s").first { $0.hasPrefix(".client-") })
    try "half".write(toFile: "\(folder.path)/s/\(file).new", atomically: true, encoding: .utf8)
    try await store.deleteClient(at: slot)
    #expect(try folder.names("s") == ["work.json"])
  }

  @Test("Many programs can check at once that they can save")
  func preparedAtOnce() async throws {
    let folder = TemporaryFolder()
    let store = FileStore(folder: folder.path + "/s")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 { group.addTask { try await store.prepare() } }
      try await group.waitForAll()
    }
    #expect(try folder.names("s").isEmpty)
  }
}
