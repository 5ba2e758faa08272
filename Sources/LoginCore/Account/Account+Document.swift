/// The document in which an account is kept.
extension Account {
  /// What the members mean, those of a client's document included. One of another version is refused, not guessed at.
  static let documentVersion: Int64 = 1
  /// The most that a document may have, in bytes: more than the largest answer comes to, whatever has to be escaped in it.
  public static let maximumDocumentSize = 8 * 1_024 * 1_024

  private static let members = [
    "version", "account", "provider", "server", "request", "token", "received_at", "session",
    "token_assume_unexpired", "registered_client", "for", "resource",
  ]

  /// The document, in one line. It holds secrets.
  public var document: [UInt8] {
    var object: JSONObject = [
      "version": .number(JSONNumber(Self.documentVersion)), "account": .string(name.description),
      "provider": provider.map(JSONValue.string), "server": .object(login.provider.json),
      "request": .object(login.json), "token": .object(token.json(at: receivedAt)),
      "received_at": .string(receivedAt.description), "session": session.map(JSONValue.string),
      "token_assume_unexpired": assumesUnexpired ? nil : false,
      "registered_client": hasRegisteredClient ? true : nil,
      "for": origins.isEmpty ? nil : .array(origins.map { .string($0.description) }),
      "resource": resource.map { .string($0.description) },
    ]
    for member in others { object[member.name] = member.value }
    return Array(object.text.utf8)
  }

  /// Reads what ``document`` wrote for this name.
  public init(document: [UInt8], of name: AccountName) throws(AccountFault) {
    try self.init(try Self.object(document), of: name)
  }

  /// Reads the members of a document.
  init(_ object: JSONObject, of name: AccountName) throws(AccountFault) {
    guard let text = object["account"]?.string else { throw .member("account") }
    guard text.isIdentical(to: name.description) else { throw .otherName }
    guard let server = object["server"]?.object else { throw .member("server") }
    guard let request = object["request"]?.object else { throw .member("request") }
    guard let token = object["token"]?.object.flatMap({ Token(json: $0) }) else { throw .member("token") }
    guard let receivedAt = object["received_at"]?.string.flatMap({ UTCDate($0) }) else {
      throw .member("received_at")
    }
    self.init(
      name, provider: try Self.text("provider", in: object),
      login: try LoginRequest(json: request, to: try Self.provider(server)), token: token,
      receivedAt: receivedAt, session: try Self.text("session", in: object))
    assumesUnexpired = try Self.flag("token_assume_unexpired", in: object) ?? true
    hasRegisteredClient = try Self.flag("registered_client", in: object) ?? false
    origins = try Self.origins(in: object)
    resource = try Self.text("resource", in: object).map { text throws(AccountFault) in
      try Self.resource(text)
    }
    for member in object where !Self.members.contains(where: member.name.isIdentical) {
      others[member.name] = member.value
    }
  }

  /// The object in a kept document of this version.
  static func object(_ document: [UInt8]) throws(AccountFault) -> JSONObject {
    let object = try JSONReader.members(of: document, maximumSize: maximumDocumentSize) {
      AccountFault.notJSON($0)
    }
    if object["version"] == .number(JSONNumber(documentVersion)) { return object }
    if case .number = object["version"] { throw .unknownVersion }
    throw .member("version")
  }

  private static func provider(_ json: JSONObject) throws(AccountFault) -> Provider {
    do throws(PresetFault) { return try Provider(json: json) } catch { throw .member("server") }
  }

  private static func origins(in object: JSONObject) throws(AccountFault) -> [Origin] {
    guard let value = object["for"] else { return [] }
    let origins = value.array?.compactMap { value in value.string.flatMap { try? Origin($0) } }
    guard let origins, origins.count == value.array?.count else { throw .member("for") }
    return origins
  }

  private static func resource(_ text: String) throws(AccountFault) -> ProtectedResource {
    do throws(AddressFault) { return try ProtectedResource(text) } catch { throw .member("resource") }
  }

  private static func flag(_ name: String, in object: JSONObject) throws(AccountFault) -> Bool? {
    guard let value = object[name] else { return nil }
    guard let flag = value.bool else { throw .member(name) }
    return flag
  }

  private static func text(_ name: String, in object: JSONObject) throws(AccountFault) -> String? {
    switch object[name] {
    case nil: nil
    case .string(let text): text
    default: throw .member(name)
    }
  }
}
