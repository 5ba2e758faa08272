import CSQLite
import Foundation
import LoginKit

/// Accounts in a SQLite database.
actor SQLiteStore: CredentialStore {
  let locks = ProcessLocks()
  private nonisolated(unsafe) let db: OpaquePointer
  init(_ path: String) throws(Failure) {
    var db: OpaquePointer?
    guard sqlite3_open(path, &db) == SQLITE_OK, let db else {
      throw Failure(.storeUnavailable, "no database at \(path)")
    }
    self.db = db
    sqlite3_exec(
      db, "create table if not exists account (name text primary key, document blob)", nil, nil, nil)
  }
  deinit { sqlite3_close(db) }
  private func run(_ sql: String, _ name: String? = nil, _ blob: [UInt8]? = nil) throws(Failure) -> [(
    String, [UInt8]
  )] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(db, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(.storeUnavailable, "the database is broken")
    }
    defer { sqlite3_finalize(statement) }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    if let name { sqlite3_bind_text(statement, 1, name, -1, transient) }
    if let blob { sqlite3_bind_blob(statement, 2, blob, Int32(blob.count), transient) }
    var rows: [(String, [UInt8])] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      let count = Int(sqlite3_column_bytes(statement, 1))
      let bytes =
        sqlite3_column_blob(statement, 1).map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
      rows.append((String(cString: sqlite3_column_text(statement, 0)), bytes))
    }
    return rows
  }
  func find(_ name: AccountName) throws(Failure) -> Account? {
    guard let row = try run("select name, document from account where name = ?", name.description).first
    else { return nil }
    do { return try Account(document: row.1, of: name) } catch {
      throw Failure(.storeUnavailable, "account \(name) is damaged: \(error)")
    }
  }
  func save(_ account: Account) throws(Failure) {
    _ = try run("insert or replace into account values (?, ?)", account.name.description, account.document)
  }
  func delete(_ name: AccountName) throws(Failure) {
    if try find(name) == nil { throw .unknownAccount(name.description) }
    _ = try run("delete from account where name = ?", name.description)
  }
  func list() throws(Failure) -> [StoredAccount] {
    try run("select name, document from account order by name").compactMap { row in
      AccountName(row.0).map { StoredAccount($0, document: row.1) }
    }
  }
}
let server = CommandLine.arguments[1]
var client = try OAuthClient(issuer: server, clientID: "tokentry-demo")
client.store = try SQLiteStore(CommandLine.arguments[2])
client.allowedOrigins = [server]
client.way = .headless(form: ["username": "ada", "password": "demo", "decision": "allow"])
print(try await client.request(server + "/api/echo", account: "work", signingIn: true).status)
print(try await client.freshToken(account: "work", forcingRefresh: true))
for account in try await client.store.list() {
  if case .account(let account) = account.contents { print(account.name, account.token, account.receivedAt) }
}
