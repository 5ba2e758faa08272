import Foundation

/// The catalogues of all languages, and of two that nobody speaks.
struct Catalogues {
  private let folder: String

  /// They are made once for all tests, in a folder that goes with these.
  private static let made = Result { try make() }
  private static let root = (1...3).reduce(URL(filePath: #filePath)) { path, _ in
    path.deletingLastPathComponent()
  }

  /// The languages with a catalogue.
  static let languages: [String] =
    ((try? String(contentsOf: root.appending(path: "data/po/LINGUAS"), encoding: .utf8)) ?? "")
    .split(separator: "\n").map(String.init)

  init() throws { folder = try Self.made.get() }

  private static func make() throws -> String {
    atexit { if case .success(let folder) = Catalogues.made { removeFolder(folder) } }
    let folder = FileManager.default.temporaryDirectory.appending(path: "catalogues-\(UUID().uuidString)")
      .path()
    let root = Self.root.path()
    try Screen.run([root + "data/po/compile.sh", folder], tools)
    try Screen.run([root + "Tests/pseudo-language.py", root + "data/po/tokentry.pot", folder], tools)
    return folder
  }

  private static let tools = ["LC_ALL": "C.UTF-8"]

  /// What makes a program speak these languages, the best first. C.UTF-8 is the one locale that every system has.
  func variables(_ languages: String) -> [String: String] {
    ["LC_ALL": "C.UTF-8", "LANGUAGE": languages, "TEXTDOMAINDIR": folder]
  }

  /// What a language says for this sentence, as gettext's own tool finds it.
  func translation(_ sentence: String, into language: String) throws -> String {
    try Screen.run(["/usr/bin/gettext", "tokentry", sentence], variables(language))
  }
}
