import Foundation

/// The translations into all languages, and into two pseudo-languages for tests.
struct Catalogues {
  private let folder: String

  /// The folder, which is made once for all tests and removed when they end.
  private static let made = Result { try make() }
  private static let root = (1...3).reduce(URL(filePath: #filePath)) { path, _ in
    path.deletingLastPathComponent()
  }

  /// The languages with a translation.
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
    try Screen.run([root + "Tests/tools/pseudo-language.py", root + "data/po/tokentry.pot", folder], tools)
    return folder
  }

  private static let tools = ["LC_ALL": "C.UTF-8"]

  /// The environment of a program that speaks these languages, in order of preference. C.UTF-8 is the only locale that
  /// every system has.
  func variables(_ languages: String) -> [String: String] {
    ["LC_ALL": "C.UTF-8", "LANGUAGE": languages, "TEXTDOMAINDIR": folder]
  }

  /// The translation of a sentence, looked up with gettext's own tool.
  func translation(_ sentence: String, into language: String) throws -> String {
    try Screen.run(["/usr/bin/gettext", "tokentry", sentence], variables(language))
  }
}
