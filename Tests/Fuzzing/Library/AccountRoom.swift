@testable import LoginCore

extension Room {
  /// The documents in which accounts, clients and attempts are kept.
  static let accounts = Room(
    name: "accounts", longest: 3_072,
    growing: [
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
    let stored = StoredAccount(document: bytes)
    guard let name = object["account"]?.string.flatMap({ AccountName($0) }) else {
      return demand(stored == nil, "an account has a name")
    }
    let account: Account
    do throws(AccountFault) { account = try Account(document: bytes, of: name) } catch {
      demand(stored == nil, "an account can be read or not")
      return checkWords(of: .store(.unreadable(account: name.description, error)))
    }
    demand(stored != nil, "an account can be read or not")
    let document = account.document
    let text = document.text
    let again = demand(try? Account(document: document, of: name), "what was kept can be read: \(text)")
    demand(again.document == document, "what was kept is kept as it was: \(text)")
    demand(
      again.token == account.token && again.receivedAt == account.receivedAt,
      "a token is kept as it was: \(text)")
    checkMembers(of: object, in: again)
    demand(!document.contains(0x0A), "a document is one line: \(text)")
    demand(
      AccountName("other").flatMap { try? Account(document: document, of: $0) } == nil
        || name.description == "other",
      "an account is not another one's")
    for origin in account.origins.map(Destination.init) {
      demand(account.isMeant(for: origin), "an account is meant for what it was made for: \(origin.origin)")
      demand(
        StoredAccount(name, document: document).mayBeMeant(for: origin),
        "an account is found by its server: \(text)")
    }
  }

  private static let start = "{\"version\":1,\"account\":\"a\""

  /// What a document has is in the account that was kept once more.
  private static func checkMembers(of object: JSONObject, in account: Account) {
    let kept = (try? JSONReader.read(account.document))?.object ?? [:]
    for member in object
    where !["server", "request", "token", "for", "resource", "version"].contains(member.name) {
      let isUsual = member.value == (member.name == "token_assume_unexpired" ? true : false)
      demand(kept[member.name] == member.value || isUsual, "\(member.name) is kept: \(kept.text)")
    }
    let request = object["request"]?.object ?? [:]
    for member in request where member.value != [] && member.value != false && member.name != "grant" {
      let own = kept["request"]?.object?[member.name]
      demand(own == member.value || member.name == "response_type", "\(member.name) is kept: \(kept.text)")
    }
    demand(
      account.origins.count == object["for"]?.array?.count ?? 0, "as many origins as there were: \(kept.text)"
    )
    demand((account.resource != nil) == (object["resource"] != nil), "an API is kept: \(kept.text)")
  }

  private static func checkLog(_ bytes: [UInt8]) {
    guard var log = AttemptLog(document: bytes) else { return }
    let document = log.document
    demand(AttemptLog(document: document) == log, "attempts are kept as they were: \(document.text)")
    demand(log.ended.count <= AttemptLog.maximumEnded, "few attempts are kept")
    let pause = log.pause(at: Samples.now) ?? 1
    demand((1...600).contains(pause), "nobody is kept waiting for \(pause) s")
    log.begin()
    log.end(.token)
    log.refuse(at: Samples.now)
    demand(AttemptLog(document: log.document) == log, "attempts that go on are kept as they are")
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
    demand(
      (try? RegisteredClient(document: document, at: slot)) == client,
      "a client is kept as it was: \(document.text)")
  }
}
