/// The document in which a client is kept. It holds secrets.
extension RegisteredClient {
  /// The document, in one line.
  public func document(at slot: ClientSlot) -> [UInt8] {
    let object: JSONObject = [
      "version": .number(JSONNumber(Account.documentVersion)), "provider": .string(slot.provider),
      "redirect_uri": .string(slot.redirectURI), "client": .object(json),
    ]
    return Array(object.text.utf8)
  }

  /// Reads what ``document(at:)`` wrote for this place.
  public init(document: [UInt8], at slot: ClientSlot) throws(AccountFault) {
    let object = try Account.object(document)
    for (name, text) in [("provider", slot.provider), ("redirect_uri", slot.redirectURI)] {
      guard object[name]?.string?.isIdentical(to: text) == true else { throw .member(name) }
    }
    guard let client = object["client"]?.object.flatMap({ RegisteredClient(json: $0) }) else {
      throw .member("client")
    }
    self = client
  }
}
