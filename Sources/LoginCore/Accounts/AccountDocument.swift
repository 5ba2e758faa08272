/// The document in which an account is kept.
extension Account {
  /// The version of the format, for accounts and clients. A document of another version is refused, because its members
  /// may have another meaning.
  fileprivate static let documentVersion: Int64 = 1
  /// The limit for the size of a document, in bytes. Even the largest answer with all of its characters escaped fits.
  package static let maximumDocumentSize = 8 * 1_024 * 1_024

  /// The account in one line of JSON, with its secrets.
  public var document: [UInt8] {
    var members = Members()
    (members.account, members.provider, members.server) = (name.description, provider, login.provider)
    (members.request, members.token) = (login.json, token.json(at: receivedAt))
    (members.receivedAt, members.isRegistered) = (receivedAt, hasRegisteredClient)
    (members.origins, members.resource, members.extra) = (origins, resource, extra)
    return Array(members.json.text.utf8)
  }

  /// Reads a ``document``. Refuses the document of an account with another name.
  public init(document: [UInt8], of name: AccountName) throws(Failure) {
    self = try failing(Account(parsing: document, of: name)) { .unreadableAccount(name.description, $0) }
  }

  /// Throws a message that continues "it cannot be read: …".
  init(parsing document: [UInt8], of name: AccountName) throws(Message) {
    try self.init(try Self.object(document), of: name)
  }

  init(_ object: JSONObject, of name: AccountName) throws(Message) {
    do throws(MemberRefusal) {
      let members = try Members(strict: object)
      guard members.account.isIdentical(to: name.description) else { throw Self.otherName }
      guard let token = Token(json: members.token) else { throw MemberPlace(["token"], .verbatim).isWrong }
      let login = try LoginRequest(json: members.request, to: members.server, at: ["request"])
      self.init(
        name, provider: members.provider, login: login, token: token, receivedAt: members.receivedAt)
      (hasRegisteredClient, origins) = (members.isRegistered, members.origins)
      (resource, extra) = (members.resource, members.extra)
    } catch {
      // The reason of another refusal may quote a secret.
      throw error.path.isEmpty ? error.reason : wrong(error.path.joined(separator: "."))
    }
  }

  private static let otherName = MemberRefusal(path: [], reason: "it belongs to another account")

  /// The members of a document.
  private struct Members: MemberCoded {
    var account = ""
    var provider: String?
    var server = Provider()
    var request = JSONObject()
    var token = JSONObject()
    var receivedAt = UTCDate.epoch
    var isRegistered = false
    var origins: [Origin] = []
    var resource: ProtectedResource?
    var extra = JSONObject()

    mutating func code(_ coder: inout MemberCoder) {
      var version = Account.documentVersion
      coder.required("version", &version, .number(in: Account.documentVersion...Account.documentVersion))
      coder.required("account", &account, .text)
      coder.text("provider", &provider)
      coder.required("server", &server, .object)
      coder.required("request", &request, .members)
      coder.required("token", &token, .members)
      coder.required("received_at", &receivedAt, .date)
      coder.flag("registered_client", &isRegistered)
      coder.value("for", &origins, else: [], .list(.address(Origin.init)))
      coder.value("resource", &resource, .parsed { try? ProtectedResource($0) })
      // Other members must not pass for these, even if these are left out.
      for name in ["registered_client", "for", "resource", "provider"] { extra[name] = nil }
      coder.others(&extra)
    }
  }

  /// Reads the JSON of a document and checks its version.
  static func object(_ document: [UInt8]) throws(Message) -> JSONObject {
    let object = try JSONReader.members(of: document, maximumSize: maximumDocumentSize) { $0.located }
    if object["version"] == .number(JSONNumber(documentVersion)) { return object }
    if case .number = object["version"] { throw laterVersion }
    throw wrong("version")
  }

  /// The reason why the document of another version is refused.
  static let laterVersion: Message = "it was written by a later version of tokentry"
}

/// The document in which a registered client is kept.
extension RegisteredClient {
  /// The client in one line of JSON, with its secrets.
  public func document(at slot: ClientSlot) -> [UInt8] {
    let object: JSONObject = [
      "version": .number(JSONNumber(Account.documentVersion)), "provider": .string(slot.provider),
      "redirect_uri": .string(slot.redirectURI), "client": .object(json),
    ]
    return Array(object.text.utf8)
  }

  /// Reads what ``document(at:)`` wrote. Refuses the document of a client with another slot.
  public init(document: [UInt8], at slot: ClientSlot) throws(Failure) {
    self = try failing(RegisteredClient(parsing: document, at: slot)) {
      .unreadableClient(of: slot.description, $0)
    }
  }

  /// Throws a message that continues "it cannot be read: …".
  init(parsing document: [UInt8], at slot: ClientSlot) throws(Message) {
    let object = try Account.object(document)
    for (name, text) in [("provider", slot.provider), ("redirect_uri", slot.redirectURI)] {
      guard object[name]?.string?.isIdentical(to: text) == true else { throw wrong(name) }
    }
    guard let client = object["client"]?.object.flatMap({ RegisteredClient(json: $0) }) else {
      throw wrong("client")
    }
    self = client
  }
}

private func wrong(_ member: String) -> Message { "\(member) is missing or wrong" }
