/// What a text comes to that the user has brought along by hand.
public enum Pasted: Sendable {
  /// The answer.
  case answer(Arrival)
  /// Nothing but blanks.
  case nothing
  /// Some text that is neither a code nor the address of an answer.
  case somethingElse
  /// The answer to another login.
  case answerToAnother
  /// What looks like a code, where a code alone proves nothing.
  case codeAlone
}

extension Visit {
  /// Judges a text that the user says is the answer: the whole address of the page on which the provider has
  /// left them or, where PKCE protects it, a code.
  ///
  /// The user chose it, so it counts as what the page itself brings; but an address with the state of another
  /// login is more likely an old one than an attack, and worth a second question.
  public func pasted(_ bytes: [UInt8]) -> Pasted {
    let text = bytes.trimmed
    if text.isEmpty { return .nothing }
    switch policy.decision(for: text) {
    case .callback(let callback):
      return isAnswered(by: callback, mainFrame: nil) ? .answer(.callback(callback)) : .answerToAnother
    case .errorPage(let uri): return .answer(.errorPage(uri: uri, body: nil))
    case .allow: return .somethingElse
    case .ignore: break
    }
    guard text.count <= Self.longestCode, text.allSatisfy(\.isVisible), (try? URIParts(text.text)) == nil
    else {
      return .somethingElse
    }
    return acceptsBareCode ? .answer(.code(AuthorizationCode(text.text))) : .codeAlone
  }

  /// Longer than any provider's: some put a whole encrypted token into one.
  private static let longestCode = 8_192
}

extension [UInt8] {
  /// Without the blanks that come along when a text is copied.
  fileprivate var trimmed: [UInt8] {
    let isBlank = { (byte: UInt8) in byte <= 0x20 }
    return Array(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
