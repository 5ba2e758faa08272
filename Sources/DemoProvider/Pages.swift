import LoginCore
import SoupNetwork

/// The pages for people: plain forms that need no script, and load nothing.
struct Pages: Sendable {
  /// The digest of the style, which is all that the pages' policy allows.
  let styleHash: String

  /// Asks who it is.
  func login(
    _ interaction: String, name: String? = nil, error: String? = nil, status: Int = 200
  ) -> HTTPServerResponse {
    let known = name.map { $0.forDisplay(limit: 64) } ?? ""
    let focus: HTML = "autofocus"
    return page(
      "Sign in",
      """
      <p>to continue to <strong>\(DemoClient.name)</strong></p>
      \(alert(error))
      <form method="post" action="/login">
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

  /// Asks what the application may do.
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

  /// Tells how it ended.
  func message(_ title: String, _ text: String, status: Int = 200) -> HTTPServerResponse {
    page(title, "<p>\(text)</p>", status: status)
  }

  /// Tells why it cannot go on.
  func refusal(_ text: String, status: Int) -> HTTPServerResponse {
    message("This cannot go on", text, status: status)
  }

  func notFound() -> HTTPServerResponse { message("Nothing here", "There is no such page.", status: 404) }

  /// Tells what this is.
  func home(issuer: String) -> HTTPServerResponse {
    page(
      "A practice provider",
      """
      <p>Applications can sign people in here, and nothing is at stake.</p>
      <p>Its issuer is <code>\(issuer)</code>, its client <code>\(DemoClient.identifier)</code>, and
       <a href="\(Route.openIDConfiguration.rawValue)">its metadata</a> tells the rest.</p>
      """)
  }

  private func alert(_ error: String?) -> HTML? {
    error.map { "<div class=\"alert\" role=\"alert\">\($0)</div>" }
  }

  private func page(_ title: String, _ content: HTML, status: Int = 200) -> HTTPServerResponse {
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

  /// A keyhole.
  private static let mark: HTML = """
    <svg class="mark" viewBox="0 0 44 44" aria-hidden="true"><rect width="44" height="44" rx="12"
     fill="currentColor" opacity=".14"/><path fill="currentColor" d="M22 10a7 7 0 0 0-3.6 13l-2.2 9.3a1.4
     1.4 0 0 0 1.4 1.7h8.8a1.4 1.4 0 0 0 1.4-1.7L25.6 23A7 7 0 0 0 22 10z"/></svg>
    """
}
