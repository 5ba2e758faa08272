import LoginCore
import SoupNetwork

/// What the browser shows when it has brought something back: in the reader's light or dark, without anything
/// that was in the URL, without a script, and without anything from elsewhere.
struct EndPage: Sendable {
  /// The digest of the style, which is all that the pages' policy allows.
  private let styleHash: String

  /// How it went.
  enum Ending: Sendable {
    /// The provider has answered.
    case answered
    /// The provider has refused, or the user has.
    case refused
  }

  init(cryptography: any Cryptography) throws(Failure) {
    styleHash = Base64.encode(try cryptography.digest(.sha256, of: Array(Self.style.markup.utf8)))
  }

  /// The page with which the browser's part in the login ends.
  func response(_ ending: Ending) -> HTTPServerResponse {
    switch ending {
    case .answered:
      page(
        "That is all here", mark: "yes", status: 200,
        "The provider's answer has arrived. You can close this tab and go back to the application.")
    case .refused:
      page(
        "You are not signed in", mark: "no", status: 200,
        "The provider did not let you in. You can close this tab; the application knows.")
    }
  }

  /// The page for what is no answer to the login that waits.
  func response(refusing status: Int) -> HTTPServerResponse {
    page(
      "This is not what was waited for", mark: "no", status: status,
      "The sign-in goes on in the tab in which it began. You can close this one.")
  }

  private func page(_ title: String, mark: String, status: Int, _ text: String) -> HTTPServerResponse {
    .html(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>\(Self.style)</style>
      </head>
      <body><main class="\(mark)"><h1>\(title)</h1><p>\(text)</p></main></body>
      </html>

      """, status: status, styleHash: styleHash
    ).adding("Connection", "close")
  }

  private static let style: HTML = """
    :root {
      color-scheme: light dark;
      --page: #eef1f6; --card: #ffffff; --line: #d9dee8; --text: #1b2230; --soft: #566074;
      --yes: #1f7a3d; --no: #a4262c;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #14171d; --card: #1d222b; --line: #353d4b; --text: #e8ebf2; --soft: #a3adbf;
        --yes: #7fd79b; --no: #ff9a94;
      }
    }
    body {
      margin: 0; min-height: 100vh; padding: 1.5rem 1rem; box-sizing: border-box; display: flex;
      align-items: center; justify-content: center; background: var(--page); color: var(--text);
      font: 1rem/1.5 system-ui, "Cantarell", "Noto Sans", "DejaVu Sans", sans-serif;
    }
    main {
      max-width: 25rem; padding: 2rem; background: var(--card); border: 1px solid var(--line);
      border-top: 4px solid var(--yes); border-radius: .75rem;
    }
    main.no { border-top-color: var(--no); }
    h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.25; font-weight: 650; }
    p { margin: 0; color: var(--soft); }

    """
}
