import CLinux
import Glibc
import LoginCore

extension Message {
  /// The sentence in the user's language.
  package var text: String { text(isolatingValues: Language.isRightToLeft) }

  /// The sentence in the user's language, with each value between the characters of ``Isolate``.
  package var textWithIsolatedValues: String { text(isolatingValues: true) }

  private func text(isolatingValues: Bool) -> String {
    rendered(
      translated: { pattern, plural in
        let english = plural.map { $0.count == 1 ? pattern : $0.pattern } ?? pattern
        return Catalogues.translation { domain in
          plural.map { Catalogues.find(pattern, $0.pattern, $0.count, in: domain) }
            ?? Catalogues.find(pattern, in: domain)
        } ?? english
      },
      // Text that runs from right to left would tear a host apart.
      isolated: { isolatingValues ? "\(Isolate.start)\($0)\(Isolate.end)" : $0 })
  }
}

/// The characters around a text whose writing direction does not depend on the text around it (Unicode TR9).
package enum Isolate {
  package static let start: Unicode.Scalar = "\u{2068}"
  package static let end: Unicode.Scalar = "\u{2069}"
}

/// The user's language.
package enum Language {
  /// The language's tag for HTML.
  package static var tag: String {
    let header = Catalogues.translation { Catalogues.find("", in: $0) } ?? ""
    let line = header.parts(at: "\n").first { $0.hasPrefix("Language: ") }
    return line.map { String($0.dropFirst("Language: ".count)).replacingAll("_", with: "-") } ?? "en"
  }

  package static var isRightToLeft: Bool { ["ar", "fa", "he", "ur"].contains(tag.prefix { $0 != "-" }) }
}

/// The catalogues of translations, which the C library reads. The user's locale is set for each look into them and no
/// longer: the process stays in the C locale, so that no library puts translated words into JSON or a log. The first
/// sentence opens the catalogues.
private enum Catalogues {
  private static let domain = "tokentry"

  private struct Choice: @unchecked Sendable { let locale: locale_t }

  /// The user's locale. nil if it is English, or if there are no catalogues.
  private static let choice: Choice? = {
    guard let folder, let locale = newlocale(LC_MESSAGES_MASK, "", nil) else { return nil }
    bindtextdomain(domain, folder)
    bind_textdomain_codeset(domain, "UTF-8")
    return Choice(locale: locale)
  }()

  /// Calls `find` in the user's locale.
  static func translation(_ find: (_ domain: String) -> String?) -> String? {
    guard let choice else { return nil }
    let others = uselocale(choice.locale)
    defer { uselocale(others) }
    return find(domain)
  }

  static func find(_ words: String, in domain: String) -> String? {
    words.withCString { words in
      dgettext(domain, words).flatMap {
        $0 == UnsafeMutablePointer(mutating: words) ? nil : String(cString: $0)
      }
    }
  }

  static func find(_ one: String, _ other: String, _ count: Int, in domain: String) -> String? {
    one.withCString { one in
      other.withCString { other in
        let found = UnsafePointer(dngettext(domain, one, other, UInt(count.magnitude)))
        return found.flatMap { $0 == one || $0 == other ? nil : String(cString: $0) }
      }
    }
  }

  /// The folder that the environment names, or that of the installation or build to which this program belongs.
  private static var folder: String? {
    if let folder = getenv("TEXTDOMAINDIR"), folder.pointee != 0 { return String(cString: folder) }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return nil }
    var parent = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)[...]
    for _ in 0..<4 {
      guard let slash = parent.lastIndex(of: "/") else { return nil }
      parent = parent[..<slash]
      let folder = parent + "/share/locale"
      if access("\(folder)/en/LC_MESSAGES/\(domain).mo", R_OK) == 0 { return String(folder) }
    }
    return nil
  }
}
