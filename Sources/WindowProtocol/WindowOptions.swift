import LoginCore

/// How the caller wants the window. The command line makes this value, and the window's program obeys it.
///
/// An option is a property here and a line in ``code(_:)``, which both reads and writes its JSON.
package struct WindowOptions: Equatable, MemberCoded {
  /// The text of the title bar instead of "Sign in".
  package var title: String?
  /// The application that the user signs in for. nil if the window must not say.
  package var requester: Requester?
  /// The host of the server that gets the answer, if only an API has named it. The port follows unless it is the scheme's
  /// own. On pages of other servers the window says which one the API has named.
  package var server: String?
  /// The caller's window, above which this one stays.
  package var parent: ParentWindow?
  /// The absolute path of a private folder for cookies and other data of pages. Without it, they are not stored.
  package var session: String?
  /// True if the session also keeps cookies without a lifetime, because its next window belongs to the same sign-in.
  package var keepsSessionCookies = false
  /// The languages in which pages are requested, best first. Empty for those of the environment.
  package var languages: [String] = []
  /// True if the user cannot close the window.
  package var hasNoClose = false
  /// True if the window stays out of sight until it is told to show itself, because the user must not be asked.
  package var isHidden = false
  /// True if the window does not take the keyboard from another window when it appears.
  package var isQuiet = false
  /// The rendering that is tried first.
  package var rendering = Rendering.standard
  /// The size of the window and the zoom of its pages.
  package var layout = WindowLayout()
  /// True if the window keeps its size, however much room its page needs.
  package var hasFixedSize = false
  /// Certificates in PEM by host, each trusted for that host alone in spite of its flaws.
  package var trust: [String: String] = [:]
  /// True if a server that asks for the client's certificate may get one: the caller is asked.
  package var hasCertificates = false
  /// The hosts, with a port unless it is 443, that may get a Kerberos ticket.
  package var negotiate: [String] = []

  package init() {}

  package mutating func code(_ coder: inout MemberCoder) {
    coder.text("title", &title)
    coder.value("requester", &requester, .object)
    coder.text("server", &server)
    coder.value("parent", &parent, .parsed(as: \.text) { ParentWindow($0) })
    coder.text("session", &session)
    coder.flag("session_cookies", &keepsSessionCookies)
    coder.texts("languages", &languages)
    coder.flag("no_close", &hasNoClose)
    coder.flag("hidden", &isHidden)
    coder.flag("quiet", &isQuiet)
    coder.value("rendering", &rendering, else: .standard, .choice())
    layout.code(&coder)
    coder.flag("fixed_size", &hasFixedSize)
    coder.value("trust", &trust, else: [:], .dictionary())
    coder.flag("certificates", &hasCertificates)
    coder.texts("negotiate", &negotiate)
  }
}

/// The name of a session whose cookies are kept: any text, which the folder's name escapes.
package struct CookieJarName: Sendable, Equatable {
  /// The name as the caller writes it.
  package let text: String
  /// Different names have different folders.
  package let folderName: String

  /// The limit of file systems, less a margin for a suffix.
  private static let maximumLength = 200

  /// Returns nil for an empty name, and for one that is too long for a folder.
  package init?(_ text: String) {
    self.text = text
    folderName = PercentEncoding.fileName(of: text, keeping: "-_.@+")
    guard !text.isEmpty, folderName.utf8.count <= Self.maximumLength else { return nil }
  }

  /// Returns the name that belongs to a folder.
  package init?(folderName: String) {
    guard let bytes = PercentEncoding.decode(folderName, brokenEscapes: .refused) else { return nil }
    self.init(String(decoding: bytes, as: UTF8.self))
    guard self.folderName == folderName else { return nil }
  }
}

/// The window of another program that the login belongs to, in the notation of freedesktop.org's desktop portals.
package enum ParentWindow: Sendable, Equatable {
  /// The number of a window on an X server.
  case x11(UInt32)
  /// The handle of a surface that its program has exported with xdg-foreign.
  case wayland(String)

  /// Exported handles are short; a compositor may choose longer ones.
  private static let maximumLength = 1_024

  /// Reads `x11:` with the number in hexadecimal, or `wayland:` with the handle. A number too long for that is decimal, as
  /// Python, GTK and Qt print it.
  package init?(_ text: String) {
    let (kind, rest) = text.splitOnce(at: ":")
    guard let rest else { return nil }
    switch kind {
    case "x11":
      let digits = rest.hasPrefix("0x") ? rest.dropFirst(2) : rest[...]
      // UInt32 would also accept a sign.
      guard digits.utf8.first != UInt8(ascii: "+"), let number = UInt32(digits, radix: 16) ?? UInt32(rest),
        number != 0
      else {
        return nil
      }
      self = .x11(number)
    case "wayland":
      guard !rest.isEmpty, rest.utf8.count <= Self.maximumLength,
        rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else { return nil }
      self = .wayland(rest)
    default: return nil
    }
  }

  /// The window as ``init(_:)`` reads it.
  package var text: String {
    switch self {
    case .x11(let number): "x11:" + String(number, radix: 16)
    case .wayland(let handle): "wayland:" + handle
    }
  }
}

/// The size of a page in CSS pixels.
package struct WindowSize: Sendable, Equatable {
  package let width: Int
  package let height: Int

  /// Returns nil for a size that no window can have.
  package init?(width: Int, height: Int) {
    guard Self.possible.contains(width), Self.possible.contains(height) else { return nil }
    (self.width, self.height) = (width, height)
  }

  /// Returns a size with enough room for both.
  package func union(_ other: WindowSize?) -> WindowSize {
    guard let other else { return self }
    return WindowSize(width: max(width, other.width), height: max(height, other.height)) ?? self
  }

  private static let possible = 200...10_000
}

extension WindowSize: LosslessStringConvertible {
  /// Reads ``description``, such as `960x720`.
  package init?(_ description: String) {
    let (width, height) = description.splitOnce(at: "x")
    let numbers = [width, height ?? ""].compactMap { text in
      text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
    }
    guard numbers.count == 2 else { return nil }
    self.init(width: numbers[0], height: numbers[1])
  }

  package var description: String { "\(width)x\(height)" }
}

/// The size of the window and the zoom of its pages, as the user has chosen them.
package struct WindowLayout: Equatable, MemberCoded {
  /// nil unless the user has changed it.
  package var size: WindowSize?
  /// In percent.
  package var zoom: Int

  package init() { zoom = 100 }

  package init(size: WindowSize? = nil, zoom: Int = 100) {
    self.size = size
    self.zoom = min(max(zoom, Self.zooms.lowerBound), Self.zooms.upperBound)
  }

  /// Pages are readable in this range.
  package static let zooms = 50...300

  package mutating func code(_ coder: inout MemberCoder) {
    coder.value("size", &size, .parsed { WindowSize($0) })
    coder.value("zoom", &zoom, else: 100, .number(in: 0...1_000_000))
    self = WindowLayout(size: size, zoom: zoom)
  }
}

extension WindowLayout: LosslessStringConvertible {
  /// Reads a text such as `640x800 110%`, or the zoom alone.
  package init?(_ description: String) {
    let words = description.split(separator: " ").map(String.init)
    guard let last = words.last, last.hasSuffix("%"), let zoom = Int(last.dropLast()), words.count <= 2,
      Self.zooms.contains(zoom)
    else { return nil }
    let size = words.count == 2 ? WindowSize(words[0]) : nil
    if words.count == 2, size == nil { return nil }
    self.init(size: size, zoom: zoom)
  }

  package var description: String { ((size.map { ["\($0)"] } ?? []) + ["\(zoom)%"]).joined(separator: " ") }
}
