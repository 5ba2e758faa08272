/// What exactly a token is asked for, beyond words of a scope (RFC 9396).
extension LoginRequest {
  /// Refuses an answer to a request for such things that does not say what was granted, or that grants things of a kind
  /// that nobody has asked for (section 7).
  func checkDetails(_ answer: TokenResponse) throws(Failure) {
    guard let text = parameter("authorization_details") else { return }
    let asked = Self.kinds((try? JSONReader.read(Array(text.utf8)))?.array) ?? []
    let granted = Self.kinds(answer.members["authorization_details"]?.array) ?? []
    guard !granted.isEmpty, granted.allSatisfy({ kind in asked.contains(where: kind.isIdentical) }) else {
      throw .untrusted(.missingToken(["authorization_details"]))
    }
  }

  /// What kinds of things these are; nothing if one does not say so.
  private static func kinds(_ details: [JSONValue]?) -> [String]? {
    let kinds = details?.compactMap { $0.object?["type"]?.string }
    return kinds?.count == details?.count ? kinds : nil
  }
}
