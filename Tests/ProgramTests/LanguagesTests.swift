import Foundation
@testable import TestSupport
import Testing

@Suite("The user's language", .blocking)
struct LanguagesTests {
  private static let english = "there is no command \"%1$s\""

  @Test(
    "Messages are in the user's language, and the JSON is in English",
    arguments: Catalogues.languages + ["xa", "ar_XB"])
  func languages(_ language: String) throws {
    let catalogues = try Catalogues()
    let translated = try catalogues.translation(Self.english, into: language)
    try #require(translated != Self.english)
    let outcome = try Tokentry.run(["loign"], environment: catalogues.variables(language))
    let words = translated.replacing("%1$s", with: "loign")
    #expect(outcome.messages.hasPrefix("tokentry: error: \(words)\ntokentry: hint: "), "\(outcome.messages)")
    #expect(!outcome.messages.contains("did you mean"))
    #expect(outcome["error_description"] as? String == "there is no command \"loign\"")
    #expect(outcome.status == 2)
  }

  @Test(
    "The first language of the list that has a catalogue is used, and English counts as one",
    arguments: [
      ("de", true), ("nds:de", true), ("de_AT:en", true), ("en:de", false), ("en_GB:en:de", false),
      ("nds", false),
    ])
  func order(list: String, isGerman: Bool) throws {
    let catalogues = try Catalogues()
    let german = try catalogues.translation(Self.english, into: "de").replacing("%1$s", with: "loign")
    let outcome = try Tokentry.run(["loign"], environment: catalogues.variables(list))
    #expect(
      outcome.messages.contains(isGerman ? german : "there is no command \"loign\""), "\(outcome.messages)")
  }

  @Test("In the locale C messages are in English", arguments: ["C", "POSIX"])
  func neutral(locale: String) throws {
    let variables = try Catalogues().variables("de").merging(["LC_ALL": locale]) { $1 }
    let outcome = try Tokentry.run(["loign"], environment: variables)
    #expect(outcome.messages.contains("there is no command \"loign\""))
  }

  @Test("The log is in English")
  func log() throws {
    let folder = TemporaryFolder()
    let catalogues = try Catalogues()
    let outcome = try Tokentry.run(
      ["token", "--account", "none", "--store", "file:\(folder.path)"],
      environment: catalogues.variables("de").merging(["TOKENTRY_LOG": folder.path + "/log"]) { $1 })
    let english = "there is no account \"none\""
    #expect(outcome.status == 8)
    #expect(!outcome.messages.contains(english))
    #expect(folder.text(of: "log").contains("error: \(english)"))
  }

  @Test(
    "The closing page in the browser is in the user's language and writing direction",
    arguments: ["ru", "ar"])
  func endPage(_ language: String) throws {
    let catalogues = try Catalogues()
    let provider = try CodeProvider()
    let browser = try Browser()
    let outcome = try provider.login(
      ["--browser", browser.command], environment: catalogues.variables(language))
    #expect(outcome.status == 0, "\(outcome.messages)")
    let direction = language == "ar" ? "rtl" : "ltr"
    #expect(browser.page().contains("<html lang=\"\(language)\" dir=\"\(direction)\">"), "\(browser.page())")
    #expect(browser.page().contains(try catalogues.translation("You are signed in", into: language)))
  }

  @Test(
    "The provider is asked for the user's languages, or for those that the caller names",
    arguments: [
      (["--scope", "openid"], "de-AT de en"), (["--scope", "openid", "--param", "ui_locales=fr"], "fr"),
      (["--scope", "mail"], nil),
    ] as [([String], String?)])
  func provider(options: [String], languages: String?) throws {
    let outcome = try Tokentry.run(
      [
        "explain", "--endpoint", "authorization=https://as.test/a", "--endpoint", "token=https://as.test/t",
        "--client-id", "me", "--redirect-uri", "http://127.0.0.1/cb", "--way", "browser",
      ] + options, environment: ["LANG": "C.UTF-8", "LC_ALL": "", "LANGUAGE": "de_AT:en"])
    let parameters = try #require(outcome["parameters"] as? [String: Any], "\(outcome.messages)")
    #expect(parameters["ui_locales"] as? String == languages)
  }

  @Test(
    "The window asks for pages in the languages of the request, whoever has named them",
    arguments: ["preset", "option", nil])
  func window(source: String?) throws {
    let folder = TemporaryFolder()
    let parameters = source == "preset" ? #","authorization_parameters":{"ui_locales":"fr"}"# : ""
    let preset = try folder.write(
      #"""
      {"name":"Acme","authorization_endpoint":"https://as.test/a","token_endpoint":"https://as.test/t",
       "redirect_uri":"https://app.test/cb","scope":"openid","issuer":"https://as.test",
       "jwks_uri":"https://as.test/k"\#(parameters)}
      """#, to: "acme.json")
    let asked = source == "option" ? ["--param", "ui_locales=fr"] : []
    let run = try Tokentry.run(
      ["login", "--provider", preset, "--client-id", "me", "--way", "window"] + asked,
      window: #"echo "$open" > "$(dirname "$0")/told""#,
      environment: ["LANG": "C.UTF-8", "LC_ALL": "", "LANGUAGE": "de_AT:en"])
    #expect(run.told.contains(#""languages":["fr","de-AT""#) == (source != nil), "\(run)")
  }
}
