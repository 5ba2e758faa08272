import LoginCore

/// The languages that the user reads, the best first, as web servers write them (BCP 47).
struct UserLanguages: Sendable, Equatable {
  let names: [String]

  private init(_ names: [String]) { self.names = names }

  /// What the environment says, as the C library reads it: a list counts wherever the locale is not C itself.
  init(_ variable: (String) -> String?) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first ?? "C"
    let list = ["C", "POSIX"].contains(locale) ? nil : variable("LANGUAGE")
    names = Self.widened((list?.parts(at: ":") ?? [locale]).compactMap(Self.name))
  }

  /// Those that a caller has given as the parameter `ui_locales`, before the user's.
  func after(_ asked: String?) -> UserLanguages {
    let first = (asked ?? "").parts(at: " ").filter(Self.isName)
    return UserLanguages(first + names.filter { !first.contains($0) })
  }

  /// The name of `de_DE.UTF-8@euro`; nothing for a locale without a language.
  private static func name(ofLocale locale: String) -> String? {
    let name = String(locale.prefix { $0 != "." && $0 != "@" }).replacingAll("_", with: "-")
    return isName(name) && name != "POSIX" ? name : nil
  }

  private static func isName(_ name: String) -> Bool {
    let parts = name.parts(at: "-")
    return (2...8).contains(parts[0].utf8.count) && parts[0].utf8.allSatisfy(\.isLetter)
      && parts.allSatisfy {
        (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isLetter || $0.isDigit }
      }
  }

  /// Behind all of a language's countries stands the language itself, since servers may know that alone.
  private static func widened(_ names: [String]) -> [String] {
    var wide: [String] = []
    for (index, name) in names.enumerated() {
      if !wide.contains(name) { wide.append(name) }
      let language = name.parts(at: "-")[0]
      let isLast = !names[(index + 1)...].contains { $0.parts(at: "-")[0] == language }
      if isLast, !wide.contains(language) { wide.append(language) }
    }
    return wide
  }
}

extension LoginRequest {
  /// The request with the languages of the user's pages (OpenID Connect Core section 3.1.2.1), if the caller has not said
  /// them; a provider that knows no OpenID Connect is told nothing that it has not been made for.
  func asked(in languages: UserLanguages) -> LoginRequest {
    guard isForOpenID, !languages.names.isEmpty, parameter("ui_locales") == nil else { return self }
    var request = self
    request.parameters.append(Parameter("ui_locales", languages.names.joined(separator: " ")))
    return request
  }
}

extension Environment {
  /// The languages that the user reads.
  var languages: UserLanguages { UserLanguages { self[$0] } }
}
