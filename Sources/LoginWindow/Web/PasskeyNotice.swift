import CWebKitGTK
import GLibSupport

/// Notices that a page asks whether there are passkeys (WebAuthn), of which WebKitGTK knows nothing.
///
/// A page that asks is answered as it would be without this: there are none, so that it keeps its password field.
/// All that it could notice is that the property has a name before it asks for the first time. What notices it tells a
/// script in a world of its own, by an event whose name no page can guess: a message handler in the page's world would
/// be an object `webkit` there, by which pages tell the web views of telephones.
@GLibActor
enum PasskeyNotice {
  private static let handler = "passkey"

  /// Calls `body` for every page of the view, and of those that it opens, that asks. Frames are not the page that the
  /// user sees; many of them only look around.
  static func watch(
    _ view: UnsafeMutablePointer<WebKitWebView>, _ body: @escaping @GLibActor () -> Void
  ) {
    guard let random = g_uuid_string_random() else { return }
    defer { g_free(random) }
    let event = String(cString: random)
    let script =
      "document.addEventListener('\(event)', () => webkit.messageHandlers.\(handler).postMessage(''))"
    // Before the other, which could not tell it anything else.
    PageScript(script).tell(handler, of: view, body)
    PageScript(notice(event), apart: false).add(to: view)
  }

  /// Once asked, or once the page has put something of its own there, nothing is left of it.
  private static func notice(_ event: String) -> String {
    """
    (() => {
      const name = 'PublicKeyCredential', view = window
      if (name in view) return
      const tell = document.dispatchEvent.bind(document, new Event('\(event)'))
      Object.defineProperty(view, name, {
        configurable: true, enumerable: false,
        get() { delete view[name]; tell() },
        set(value) { delete view[name]; view[name] = value }
      })
    })()
    """
  }
}
