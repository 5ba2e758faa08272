/// The document in which an account is kept.
extension Account {
  /// The version of the format, for accounts and clients. A document of another version is refused, because its members
  /// may have another meaning.
  fileprivate static let documentVersion: Int64 = 1
  /// The limit for the size of a document, in bytes. Even the largest answer with all of its characters escaped fits.
  public static let maximumDocumentSize = 8 * 1_024 * 1_024

  private static let members = [
    "version", "account", "provider", "server", "request", "token", "received_at", "registered_client",
    "for", "resource",
  ]

  /// The account in one line of JSON, with its secrets.
  public var document: [UInt8] {
    var object: JSONObject = [
      "version": .number(JSONNumber(Self.documentVersion)), "account": .string(name.description),
      "provider": provider.map(JSONValue.string), "server": .object(login.provider.json),
      "request": .object(login.json), "token": .object(token.json(at: receivedAt)),
      "received_at": .string(receivedAt.description),
      "registered_client": hasRegisteredClient ? true : nil,
      "for": origins.isEmpty ? nil : .array(origins.map { .string($0.description) }),
      "resource": resource.map { .string($0.description) },
    ]
    for member in extra where !Self.isOwn(member) { object[member.name] = member.value }
    return Array(object.text.utf8)
  }

  /// Reads a ``document``. Refuses the document of an account with another name.
  public init(document: [UInt8], of name: AccountName) throws(Message) {
    try self.init(try Self.object(document), of: name)
  }

  init(_ object: JSONObject, of name: AccountName) throws(Message) {
    guard let text = object["account"]?.string else { throw wrong("account") }
    guard text.isIdentical(to: name.description) else { throw "it belongs to another account" }
    guard let server = object["server"]?.object else { throw wrong("server") }
    guard let request = object["request"]?.object else { throw wrong("request") }
    guard let token = object["token"]?.object.flatMap({ Token(json: $0) }) else { throw wrong("token") }
    guard let receivedAt = object["received_at"]?.string.flatMap({ UTCDate($0) }) else {
      throw wrong("received_at")
    }
    let provider = try Self.text("provider", in: object)
    guard let server = try? Provider(json: server) else { throw wrong("server") }
    self.init(
      name, provider: provider, login: try LoginRequest(json: request, to: server), token: token,
      receivedAt: receivedAt)
    hasRegisteredClient = try Self.flag("registered_client", in: object) ?? false
    origins = try Self.origins(in: object)
    if let text = try Self.text("resource", in: object) {
      guard let resource = try? ProtectedResource(text) else { throw wrong("resource") }
      self.resource = resource
    }
    for member in object where !Self.isOwn(member) { extra[member.name] = member.value }
  }

  private static func isOwn(_ member: JSONObject.Member) -> Bool {
    members.contains(where: member.name.isIdentical)
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

  private static func origins(in object: JSONObject) throws(Message) -> [Origin] {
    guard let value = object["for"] else { return [] }
    let origins = value.array?.compactMap { value in value.string.flatMap { try? Origin($0) } }
    guard let origins, origins.count == value.array?.count else { throw wrong("for") }
    return origins
  }

  private static func flag(_ name: String, in object: JSONObject) throws(Message) -> Bool? {
    guard let value = object[name] else { return nil }
    guard let flag = value.bool else { throw wrong(name) }
    return flag
  }

  private static func text(_ name: String, in object: JSONObject) throws(Message) -> String? {
    guard let value = object[name] else { return nil }
    guard let text = value.string else { throw wrong(name) }
    return text
  }
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
  public init(document: [UInt8], at slot: ClientSlot) throws(Message) {
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
