import Foundation
import LoginCore
import Testing

@testable import Language

/// Catalogues are read once in a process, so tests with a catalogue run in processes of their own.
@Suite("Language")
struct LanguageTests {
  @Test("Without a catalogue, messages are in English, from left to right")
  func english() {
    #expect(("can't find the server \("as.test")" as Message).text == "can't find the server as.test")
    #expect(Message(2, one: "\(2) page", other: "\(2) pages").text == "2 pages")
    #expect(Language.tag == "en")
    #expect(!Language.isRightToLeft)
  }

  @Test("Messages are in the user's language, with its plural forms, if its catalogue has them")
  func catalogue() async {
    await #expect(processExitsWith: .success) {
      let folder = try Self.useCatalogue(
        of: "pl", plurals: "nplurals=2; plural=n>1;",
        ["%1$s page\0%1$s pages": "%1$s strona\0%1$s strony", "open": "otwórz"])
      defer { try? FileManager.default.removeItem(at: folder) }
      let texts = [
        ("open" as Message).text, ("shut" as Message).text,
        Message(1, one: "\(1) page", other: "\(1) pages").text,
        Message(2, one: "\(2) page", other: "\(2) pages").text, Language.tag,
      ]
      #expect(texts == ["otwórz", "shut", "1 strona", "2 strony", "pl"])
    }
  }

  @Test("In a language written from right to left, each value is isolated from the text around it")
  func rightToLeft() async {
    await #expect(processExitsWith: .success) {
      let folder = try Self.useCatalogue(of: "ar_EG", ["to %1$s": "إلى %1$s"])
      defer { try? FileManager.default.removeItem(at: folder) }
      #expect(("to \("as.test")" as Message).text == "إلى \u{2068}as.test\u{2069}")
      #expect(Language.tag == "ar-EG")
      #expect(Language.isRightToLeft)
    }
  }

  /// Makes a catalogue, and sets the environment so that it is used. Returns its folder.
  private static func useCatalogue(
    of language: String, plurals: String = "nplurals=1; plural=0;", _ translations: [String: String]
  ) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let messages = folder.appending(path: "\(language)/LC_MESSAGES")
    try FileManager.default.createDirectory(at: messages, withIntermediateDirectories: true)
    let header =
      "Language: \(language)\nContent-Type: text/plain; charset=UTF-8\nPlural-Forms: \(plurals)\n"
    try file(translations.merging(["": header]) { $1 }).write(to: messages.appending(path: "tokentry.mo"))
    setenv("LC_ALL", "C.UTF-8", 1)
    setenv("LANGUAGE", language, 1)
    setenv("TEXTDOMAINDIR", folder.path(), 1)
    return folder
  }

  /// Returns the bytes of a `.mo` file (manual of GNU gettext, "The Format of GNU MO Files").
  private static func file(_ translations: [String: String]) -> Data {
    let entries = translations.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let strings = entries.map(\.key) + entries.map(\.value)
    let headerSize = 28
    var numbers = [0x9504_12DE, 0, entries.count, headerSize, headerSize + 8 * entries.count, 0, headerSize]
    var texts = Data()
    for string in strings {
      numbers += [string.utf8.count, headerSize + 8 * strings.count + texts.count]
      texts += Data(string.utf8) + [0]
    }
    return numbers.reduce(into: Data()) { file, number in
      withUnsafeBytes(of: UInt32(number).littleEndian) { file.append(contentsOf: $0) }
    } + texts
  }
}
