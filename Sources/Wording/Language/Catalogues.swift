import CLinux
import Glibc
import LoginCore

/// The catalogues of translations, which the C library reads, and the user's choice among them. It is made for the one
/// look into a catalogue and no longer: the rest of the process stays in the C locale, so that no library puts words of
/// another language into JSON or a log. Nothing is read before the first sentence is said.
enum Catalogues {
  private static let domain = "tokentry"

  private struct Choice: @unchecked Sendable { let locale: locale_t }

  /// The user's languages; nothing if English is what they have chosen, or if there are no catalogues.
  private static let choice: Choice? = {
    guard let folder, let locale = newlocale(LC_MESSAGES_MASK, "", nil) else { return nil }
    bindtextdomain(domain, folder)
    bind_textdomain_codeset(domain, "UTF-8")
    return Choice(locale: locale)
  }()

  /// What a catalogue says, asked in the user's locale.
  static func translation(_ find: (_ domain: String) -> String?) -> String? {
    guard let choice else { return nil }
    let others = uselocale(choice.locale)
    defer { uselocale(others) }
    return find(domain)
  }

  /// What stands beside these words; the words themselves are not what a catalogue says.
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

  /// Where the catalogues are: where the user's environment says, or beside the program, in the folder that it was
  /// installed to or in that of a build.
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
