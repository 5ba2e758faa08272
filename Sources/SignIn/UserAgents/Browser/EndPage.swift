import Language
import LoginCore
import SoupNetwork
import WindowProtocol

/// The page that the browser shows at the end: light or dark like the desktop, without parts of the URL, scripts or
/// content from other servers.
struct EndPage: Sendable {
  /// The digest of the style, which is all that the page's content security policy allows.
  private let styleHash: String

  private let requester: Requester?

  init(for requester: Requester?, cryptography: any Cryptography) throws(Failure) {
    self.requester = requester
    styleHash = Base64.encode(try cryptography.digest(.sha256, of: Array(Self.style.markup.utf8)))
  }

  /// The page for a result, or for nil if it is not known yet.
  func response(_ conclusion: Conclusion?) -> HTTPServerResponse {
    switch conclusion {
    case nil, .answer?: response(.answered)
    case .token?: response(.signedIn)
    // The user who cancelled the login knows why.
    case .failure(let failure)? where failure.kind == .givenUp: response(.failed)
    case .failure(let failure)?: response(.failed, after: failure)
    }
  }

  /// The page with a text, and with the reason as our window gives it.
  func response(
    _ text: EndPageText, after failure: Failure? = nil, status: Int = 200
  ) -> HTTPServerResponse {
    let reason = failure.map { $0.isPassing ? "\($0.sentence) \(EndPageText.tryLater.text)" : $0.sentence }
    return .html(
      """
      <!doctype html>
      <html lang="\(Language.tag)" dir="\(Language.isRightToLeft ? "rtl" : "ltr")">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(text.title(for: requester).text)</title>
      <style>\(Self.style)</style>
      </head>
      <body><main class="\(Self.look(of: text))">\(Self.icon)<h1>\(text.title(for: requester).text)</h1><p>\(text.sentence(for: requester).text)</p>\(Self.paragraph(reason))</main></body>
      </html>

      """, status: status, styleHash: styleHash
    ).adding("Connection", "close")
  }

  /// Our symbolic icon, as in data/icons.
  static let icon: HTML = """
    <svg viewBox="0 0 16 16" aria-hidden="true">\
    <path fill-rule="evenodd" d="M8 0A7 7 0 0 0 2.255 11H13.745A7 7 0 0 0 8 0Z\
    M8 3A2 2 0 0 1 9 6.700L9.700 10H6.300L7 6.700A2 2 0 0 1 8 3Z"/>\
    <rect y="12" width="16" height="3" rx="1.500"/></svg>
    """

  private static func look(of text: EndPageText) -> String {
    switch text {
    case .signedIn: "yes"
    case .answered: "on"
    case .denied, .refused, .failed, .notAwaited, .elsewhere, .otherUser: "no"
    }
  }

  private static func paragraph(_ reason: String?) -> HTML {
    reason.map { "<p class=\"why\">\($0)</p>" } ?? ""
  }

  private static let style: HTML = """
    :root {
      color-scheme: light dark;
      --page: #eef1f6; --card: #ffffff; --line: #d9dee8; --text: #1b2230; --soft: #566074;
      --on: #3b5bdb; --no: #a4262c; --yes: #2b7a3d;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #14171d; --card: #1d222b; --line: #353d4b; --text: #e8ebf2; --soft: #a3adbf;
        --on: #9db4ff; --no: #ff9a94; --yes: #7fd694;
      }
    }
    body {
      margin: 0; min-height: 100vh; padding: 1.5rem 1rem; box-sizing: border-box; display: flex;
      align-items: center; justify-content: center; background: var(--page); color: var(--text);
      font: 1rem/1.5 system-ui, "Cantarell", "Noto Sans", "DejaVu Sans", sans-serif;
    }
    main {
      max-width: 25rem; padding: 2rem; background: var(--card); border: 1px solid var(--line);
      border-top: 4px solid var(--on); border-radius: .75rem;
    }
    main.no { border-top-color: var(--no); }
    main.yes { border-top-color: var(--yes); }
    svg { width: 2.5rem; margin-bottom: 1rem; fill: var(--on); }
    main.no svg { fill: var(--no); }
    main.yes svg { fill: var(--yes); }
    h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.25; font-weight: 650; }
    p { margin: 0; color: var(--soft); }
    p.why { margin-top: .75rem; color: var(--text); overflow-wrap: anywhere; }

    """
}
