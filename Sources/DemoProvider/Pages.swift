import LoginCore
import SoupNetwork

/// The pages for people. They are plain forms without scripts, and load no other files.
struct Pages: Sendable {
  /// The digest of the style sheet, which is all that the pages' policy allows.
  let styleHash: String

  /// Asks for name and password.
  func login(
    _ interaction: String, name: String? = nil, error: String? = nil, status: Int = 200,
    opensWindow: Bool = false
  ) -> HTTPServerResponse {
    let target: HTML? = opensWindow ? " target=\"_blank\"" : nil
    let known = name.map { $0.forDisplay(limit: 64) } ?? ""
    let focus: HTML = "autofocus"
    return page(
      "Sign in",
      """
      <p>to continue to <strong>\(DemoClient.name)</strong></p>
      \(alert(error))
      <form method="post" action="/login"\(target)>
      <input type="hidden" name="interaction" value="\(interaction)">
      <label for="username">Name</label>
      <input id="username" name="username" value="\(known)" autocomplete="username" autocapitalize="none"
       spellcheck="false" maxlength="64" required \(known.isEmpty ? focus : nil)>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required
       \(known.isEmpty ? nil : focus)>
      <p>Any name will do, such as <code>\(DemoProvider.userName)</code>; the password is
       <code>\(DemoUser.password)</code></p>
      <button class="yes">Sign in</button>
      </form>
      """, status: status)
  }

  /// Asks for consent.
  func consent(
    _ interaction: String, _ user: DemoUser, _ scope: [DemoScope], isDevice: Bool = false
  ) -> HTTPServerResponse {
    let items = HTML(scope.map { "<li>\($0.explanation)</li>" })
    let warning: HTML? =
      isDevice ? "<p>Go on only if you have just seen the code on a device of yours.</p>" : nil
    return page(
      "Allow access?",
      """
      <p><strong>\(DemoClient.name)</strong> would like to:</p>
      <ul>\(items)</ul>
      \(warning)
      <form method="post" action="/consent">
      <input type="hidden" name="interaction" value="\(interaction)">
      <div class="buttons">
      <button class="yes" name="decision" value="allow">Allow</button>
      <button class="no" name="decision" value="deny">Deny</button>
      </div>
      <div class="who"><span>Signed in as <strong>\(user.name)</strong></span>
      <button class="link" name="decision" value="change">Not you?</button></div>
      </form>
      """)
  }

  /// Asks for the code that a device shows.
  func userCode(prefilled: String?, error: String? = nil, status: Int = 200) -> HTTPServerResponse {
    let code = prefilled.map { $0.forDisplay(limit: 16) } ?? ""
    return page(
      "Sign in on a device",
      """
      <p>Enter the code that the device shows.</p>
      \(alert(error))
      <form method="post" action="/device">
      <label for="user_code">Code</label>
      <input class="code" id="user_code" name="user_code" value="\(code)" autocomplete="off"
       autocapitalize="characters" spellcheck="false" maxlength="16" required autofocus>
      <button class="yes">Continue</button>
      </form>
      """, status: status)
  }

  func message(_ title: String, _ text: String, status: Int = 200) -> HTTPServerResponse {
    page(title, "<p>\(text)</p>", status: status)
  }

  func refusal(_ text: String, status: Int) -> HTTPServerResponse {
    message("Signing in failed", text, status: status)
  }

  func notFound() -> HTTPServerResponse { message("Page not found", "There is no such page.", status: 404) }

  private func alert(_ error: String?) -> HTML? {
    error.map { "<div class=\"alert\" role=\"alert\">\($0)</div>" }
  }

  func page(_ title: String, _ content: HTML, status: Int = 200) -> HTTPServerResponse {
    .html(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title) – Tokentry demo</title>
      <style>\(Style.sheet)</style>
      </head>
      <body>
      <main>
      \(Self.mark)
      <h1>\(title)</h1>
      \(content)
      </main>
      <footer>A demonstration: it runs on this computer, and nothing you type leaves it.</footer>
      </body>
      </html>

      """, status: status, styleHash: styleHash)
  }

  /// The logo, a keyhole.
  private static let mark: HTML = """
    <svg class="mark" viewBox="0 0 44 44" aria-hidden="true"><rect width="44" height="44" rx="12"
     fill="currentColor" opacity=".14"/><path fill="currentColor" d="M22 10a7 7 0 0 0-3.6 13l-2.2 9.3a1.4
     1.4 0 0 0 1.4 1.7h8.8a1.4 1.4 0 0 0 1.4-1.7L25.6 23A7 7 0 0 0 22 10z"/></svg>
    """
}

/// The look of the pages: one card, in the light or dark colours that the desktop prefers.
enum Style {
  static let sheet: HTML = """
    :root {
      color-scheme: light dark;
      --page: #eef1f6; --card: #ffffff; --line: #d9dee8; --text: #1b2230; --soft: #566074;
      --accent: #2f5bd0; --accent-strong: #2449ab; --on-accent: #ffffff; --wash: #f4f6fb;
      --bad: #a4262c; --bad-wash: #fdf1f1; --shadow: 0 1px 2px #1b223014, 0 12px 32px #1b223014;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #14171d; --card: #1d222b; --line: #353d4b; --text: #e8ebf2; --soft: #a3adbf;
        --accent: #8aadff; --accent-strong: #a9c3ff; --on-accent: #10203f; --wash: #252b36;
        --bad: #ff9a94; --bad-wash: #3a2224; --shadow: 0 1px 2px #0006, 0 12px 32px #0005;
      }
    }
    *, *::before { box-sizing: border-box; }
    body {
      margin: 0; min-height: 100vh; padding: 1rem; display: flex; flex-direction: column;
      align-items: center; justify-content: center; gap: 1rem; background: var(--page);
      color: var(--text); font: 1rem/1.5 system-ui, "Cantarell", "Noto Sans", "DejaVu Sans", sans-serif;
      overflow-wrap: anywhere;
    }
    main {
      width: 100%; max-width: 25rem; padding: 2rem; background: var(--card);
      border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shadow);
    }
    .mark { display: block; width: 2.75rem; height: 2.75rem; margin-bottom: 1rem; color: var(--accent); }
    h1 { margin: 0 0 .35rem; font-size: 1.4rem; line-height: 1.25; font-weight: 650; }
    p { margin: 0 0 1.25rem; color: var(--soft); }
    p strong { color: var(--text); font-weight: 600; }
    p:last-child { margin-bottom: 0; }
    label { display: block; margin-bottom: .35rem; font-size: .9rem; font-weight: 600; }
    input, select {
      width: 100%; margin-bottom: 1rem; padding: .65rem .8rem; font: inherit; color: inherit;
      background: var(--wash); border: 1px solid var(--line); border-radius: .6rem;
    }
    input.code {
      font-size: 1.5rem; letter-spacing: .15em; text-align: center; text-transform: uppercase;
      font-family: ui-monospace, "DejaVu Sans Mono", monospace;
    }
    .switch { display: flex; gap: .6rem; }
    .switch label { font-weight: 400; }
    .switch input { flex: none; width: auto; margin: .35rem 0 0; }
    summary { margin: 1.25rem 0 .75rem; font-weight: 600; cursor: pointer; }
    code {
      padding: .1rem .4rem; font: .9em ui-monospace, "DejaVu Sans Mono", monospace; color: var(--text);
      background: var(--wash); border: 1px solid var(--line); border-radius: .4rem;
    }
    button {
      width: 100%; padding: .7rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
      border: 1px solid transparent; border-radius: .6rem;
    }
    button.yes { color: var(--on-accent); background: var(--accent); }
    button.yes:hover { background: var(--accent-strong); }
    button.no { color: var(--text); background: transparent; border-color: var(--line); }
    button.no:hover { background: var(--wash); }
    button.link {
      width: auto; padding: 0; font-weight: 400; color: var(--accent); background: none; border: 0;
      border-radius: .2rem; text-decoration: underline; text-underline-offset: .15em;
    }
    input:focus-visible, select:focus-visible, button:focus-visible, a:focus-visible {
      outline: 3px solid var(--accent); outline-offset: 2px;
    }
    a { color: var(--accent); text-underline-offset: .15em; }
    .buttons { display: flex; gap: .75rem; }
    .who {
      display: flex; justify-content: space-between; gap: 1rem; margin-bottom: 1.25rem;
      padding: .7rem .9rem; font-size: .925rem; background: var(--wash); border: 1px solid var(--line);
      border-radius: .6rem;
    }
    .buttons + .who { margin: 1.25rem 0 0; }
    .who button { flex: none; font-size: inherit; }
    ul { margin: 0 0 1.5rem; padding: 0; list-style: none; }
    li { position: relative; padding: .45rem 0 .45rem 1.9rem; border-top: 1px solid var(--line); }
    li:first-child { border-top: 0; }
    li::before {
      content: ""; position: absolute; left: .35rem; top: .85rem; width: .8rem; height: .45rem;
      border: solid var(--accent); border-width: 0 0 2px 2px; transform: rotate(-45deg);
    }
    .alert {
      margin-bottom: 1rem; padding: .7rem .9rem; color: var(--bad); background: var(--bad-wash);
      border-left: 3px solid var(--bad); border-radius: .4rem;
    }
    footer { max-width: 25rem; font-size: .85rem; text-align: center; color: var(--soft); }
    @media (max-width: 24rem) { .buttons { flex-direction: column; } main { padding: 1.5rem; } }

    """
}
