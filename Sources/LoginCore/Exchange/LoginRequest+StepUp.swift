extension LoginRequest {
  /// The request of a login that brings what a server wants: what was asked for so far, and what is wanted now.
  package func asking(_ stepUp: StepUp) -> LoginRequest {
    var login = self
    if case .scope(let scope) = stepUp { login.scope = Self.union(login.scope, scope) }
    let added = stepUp.parameters
    login.parameters.removeAll { parameter in added.contains { $0.name.isIdentical(to: parameter.name) } }
    login.parameters += added
    return login
  }

  /// Whether it asks for that already.
  func asks(for stepUp: StepUp) -> Bool {
    if case .scope(let scope) = stepUp {
      return Self.union(self.scope, scope).isIdentical(to: Self.union(self.scope, ""))
    }
    return stepUp.parameters.allSatisfy { parameters.contains($0) }
  }

  /// All words of two scopes, those of the first one first (RFC 6749 section 3.3).
  static func union(_ first: String?, _ second: String) -> String {
    var words: [String] = []
    for word in "\(first ?? "") \(second)".parts(at: " ") where !word.isEmpty {
      if !words.contains(where: word.isIdentical) { words.append(word) }
    }
    return words.joined(separator: " ")
  }
}
