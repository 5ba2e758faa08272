import LoginCore

/// The languages that the user reads, the best first, as BCP 47 writes them.
package struct UserLanguages: Sendable, Equatable {
  package let names: [String]

  private init(_ names: [String]) { self.names = names }

  /// Reads the environment as the C library does: the variable `LANGUAGE` counts unless the locale is C.
  package init(_ variable: (String) -> String?) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first ?? "C"
    let list = ["C", "POSIX"].contains(locale) ? nil : variable("LANGUAGE")
    names = Self.widened((list?.parts(at: ":") ?? [locale]).compactMap(Self.name))
  }

  /// Returns these languages after those of the parameter `ui_locales`.
  package func after(_ asked: String?) -> UserLanguages {
    let first = (asked ?? "").parts(at: " ").filter(Self.isName)
    return UserLanguages(first + names.filter { !first.contains($0) })
  }

  /// Returns the name for a locale such as `de_DE.UTF-8@euro`, or nil if the locale has no language.
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

  /// Adds each language without its country after the last of its countries, because servers may know only that.
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

extension Environment {
  package var languages: UserLanguages { UserLanguages { self[$0] } }
}
