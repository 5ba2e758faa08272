@testable import LoginCore

extension Check {
  /// The documents of accounts, clients and attempts.
  static let accounts = Check(growing: [
    ("others", { elements($0, from: start + ",", to: "}") { "\"a\($0)\":1" } }),
    ("members of a token", { elements($0, from: start + ",\"token\":{", to: "}}") { "\"a\($0)\":1" } }),
    (
      "parameters",
      { elements($0, from: start + ",\"request\":{\"parameters\":[", to: "]}}") { "[\"a\($0)\",\"1\"]" } }
    ),
    ("origins", { elements($0, from: start + ",\"for\":[", to: "]}") { "\"https://a\($0).example\"" } }),
    (
      "attempts",
      {
        elements($0, from: "{\"version\":1,\"newest\":1,\"under_way\":true,\"ended\":[", to: "]}") {
          "{\"attempt\":\($0),\"outcome\":\"token\"}"
        }
      }
    ),
  ]
  ) { bytes in
    checkLog(bytes)
    guard let object = (try? JSONReader.read(bytes))?.object else { return }
    checkClient(bytes, object)
    guard let name = object["account"]?.string.flatMap({ AccountName($0) }) else { return }
    if let stored = StoredAccount(document: bytes) {
      require(stored.name == name, "an account is listed under the name in its document")
    }
    let account: Account
    do throws(Failure) { account = try Account(document: bytes, of: name) } catch {
      return checkText(of: error)
    }
    let document = account.document
    let text = document.text
    let again = require(try? Account(document: document, of: name), "a kept account can be read: \(text)")
    require(again.document == document, "an account is kept unchanged: \(text)")
    require(
      again.token == account.token && again.receivedAt == account.receivedAt,
      "a token is kept unchanged: \(text)")
    checkMembers(of: object, in: again)
    require(!document.contains(0x0A), "a document is one line: \(text)")
    require(
      AccountName("other").flatMap { try? Account(document: document, of: $0) } == nil
        || name.description == "other",
      "a document belongs to one account")
    for origin in account.origins.map(Destination.init) {
      require(
        account.ownDestinations.contains { $0.includes(origin) },
        "an account is meant for its own servers: \(origin.origin)")
      require(
        StoredAccount(name, document: document).mayBeMeant(for: origin),
        "the pre-filter finds an account by its server: \(text)")
    }
  }

  private static let start = "{\"version\":1,\"account\":\"a\""

  /// Checks that an account that was kept again has all members of its document.
  private static func checkMembers(of object: JSONObject, in account: Account) {
    let kept = (try? JSONReader.read(account.document))?.object ?? [:]
    for member in object
    where !["server", "request", "token", "for", "resource", "version"].contains(member.name) {
      let isKept = kept[member.name] == member.value || member.value == false
      require(isKept, "\(member.name) is kept: \(kept.text)")
    }
    let request = object["request"]?.object ?? [:]
    for member in request where member.value != [] && member.value != false && member.name != "grant" {
      let own = kept["request"]?.object?[member.name]
      require(own == member.value || member.name == "response_type", "\(member.name) is kept: \(kept.text)")
    }
    require(
      account.origins.count == object["for"]?.array?.count ?? 0, "all origins are kept: \(kept.text)"
    )
    require((account.resource != nil) == (object["resource"] != nil), "an API is kept: \(kept.text)")
  }

  private static func checkLog(_ bytes: [UInt8]) {
    guard var log = AttemptLog(document: bytes) else { return }
    let document = log.document
    require(AttemptLog(document: document) == log, "attempts are kept unchanged: \(document.text)")
    require(log.ended.count <= AttemptLog.maximumEnded, "only few attempts are kept")
    let pause = log.pause(at: Samples.now) ?? 1
    require((1...600).contains(pause), "a pause has a limit, not \(pause) s")
    log.begin()
    log.end(.token)
    log.refuse(at: Samples.now)
    log.beginTrial(isDemanded: true)
    log.reject(isDemand: true, at: Samples.now)
    require(AttemptLog(document: log.document) == log, "changed attempts are kept unchanged")
  }

  private static func checkClient(_ bytes: [UInt8], _ object: JSONObject) {
    guard let issuer = object["provider"]?.string,
      let redirect = object["redirect_uri"]?.string.flatMap({ try? RedirectURI($0) })
    else { return }
    var provider = Provider()
    provider.issuer = try? Issuer(issuer)
    guard let slot = ClientSlot(provider, redirect),
      let client = try? RegisteredClient(document: bytes, at: slot)
    else { return }
    let document = client.document(at: slot)
    require(
      (try? RegisteredClient(document: document, at: slot)) == client,
      "a client is kept unchanged: \(document.text)")
  }
}
