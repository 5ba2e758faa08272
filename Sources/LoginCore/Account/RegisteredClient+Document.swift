/// The document in which a client is kept. It holds secrets.
extension RegisteredClient {
  /// What the members mean. A document of another version is refused, not guessed at.
  private static let documentVersion: Int64 = 1

  /// The document, in one line.
  public func document(at slot: ClientSlot) -> [UInt8] {
    let object: JSONObject = [
      "version": .number(JSONNumber(Self.documentVersion)), "provider": .string(slot.provider),
      "redirect_uri": .string(slot.redirectURI), "client": .object(json),
    ]
    return Array(object.text.utf8)
  }

  /// Reads what ``document(at:)`` wrote for this place.
  public init(document: [UInt8], at slot: ClientSlot) throws(AccountFault) {
    let object = try Account.object(document)
    guard object["version"] == .number(JSONNumber(Self.documentVersion)) else {
      if case .number = object["version"] { throw .unknownVersion }
      throw .member("version")
    }
    for (name, text) in [("provider", slot.provider), ("redirect_uri", slot.redirectURI)] {
      guard object[name]?.string?.isIdentical(to: text) == true else { throw .member(name) }
    }
    guard let client = object["client"]?.object.flatMap({ RegisteredClient(json: $0) }) else {
      throw .member("client")
    }
    self = client
  }
}
