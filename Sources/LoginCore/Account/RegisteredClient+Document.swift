/// The document in which a client is kept. It holds secrets.
extension RegisteredClient {
  /// What the members mean. A document of another version is refused, not guessed at.
  private static let documentVersion: Int64 = 1

  /// The document, in one line.
  public func document(at place: ClientPlace) -> [UInt8] {
    let object: JSONObject = [
      "version": .number(JSONNumber(Self.documentVersion)), "provider": .string(place.provider),
      "redirect_uri": .string(place.redirectURI), "client": .object(json),
    ]
    return Array(object.text.utf8)
  }

  /// Reads what ``document(at:)`` wrote for this place.
  public init(document: [UInt8], at place: ClientPlace) throws(AccountFault) {
    let object = try Account.object(document)
    guard object["version"] == .number(JSONNumber(Self.documentVersion)) else {
      if case .number = object["version"] { throw .unknownVersion }
      throw .member("version")
    }
    for (name, text) in [("provider", place.provider), ("redirect_uri", place.redirectURI)] {
      guard object[name]?.string?.isIdentical(to: text) == true else { throw .member(name) }
    }
    guard let client = object["client"]?.object.flatMap({ RegisteredClient(json: $0) }) else {
      throw .member("client")
    }
    self = client
  }
}
