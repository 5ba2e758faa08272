import Testing

@testable import Platform

@Suite("UserLanguages")
struct UserLanguagesTests {
  @Test(
    "Languages come from the environment, the best first",
    arguments: [
      ([:], []), (["LANG": "C.UTF-8"], []), (["LANG": "C", "LANGUAGE": "de"], []), (["LANG": "POSIX"], []),
      (["LANG": "de_AT.UTF-8"], ["de-AT", "de"]), (["LANG": "ca_ES@valencia"], ["ca-ES", "ca"]),
      (["LANG": "de_AT.UTF-8", "LC_MESSAGES": "fr_CA"], ["fr-CA", "fr"]),
      (["LANG": "de_AT.UTF-8", "LC_ALL": "C"], []),
      (["LANG": "C.UTF-8", "LANGUAGE": "de_AT:de_DE:en"], ["de-AT", "de-DE", "de", "en"]),
      (["LANG": "en_US", "LANGUAGE": "x y:\u{1B}:de"], ["de"]),
    ] as [([String: String], [String])])
  func names(variables: [String: String], names: [String]) {
    #expect(UserLanguages { variables[$0] }.names == names)
  }

  @Test("The languages of ui_locales come first")
  func caller() {
    let languages = UserLanguages { $0 == "LANG" ? "de_AT" : nil }
    #expect(languages.after("fr de").names == ["fr", "de", "de-AT"])
    #expect(languages.after(nil) == languages)
  }
}
