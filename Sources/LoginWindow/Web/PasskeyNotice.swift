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
  private static let world = "tokentry"
  private static let handler = "passkey"

  /// Calls `body` for every page of the view, and of those that it opens, that asks.
  static func watch(
    _ view: UnsafeMutablePointer<WebKitWebView>, _ body: @escaping @GLibActor () -> Void
  ) {
    guard let manager = webkit_web_view_get_user_content_manager(view), let random = g_uuid_string_random()
    else { return }
    defer { g_free(random) }
    let event = String(cString: random)
    // Before the other, which could not tell it anything else.
    add(
      "document.addEventListener('\(event)', () => webkit.messageHandlers.\(handler).postMessage(''))",
      to: manager, world: world)
    add(notice(event), to: manager, world: nil)
    let call: @GLibActor @convention(c) (gpointer, OpaquePointer?, gpointer) -> Void = { _, _, data in
      Handler<@GLibActor () -> Void>.body(data)()
    }
    connect(manager, "script-message-received::\(handler)", call, body)
    webkit_user_content_manager_register_script_message_handler_in_world(manager, handler, world)
  }

  private static func add(
    _ script: String, to manager: UnsafeMutablePointer<WebKitUserContentManager>, world: String?
  ) {
    // Frames are not the page that the user sees; many of them only look around.
    let frames = WEBKIT_USER_CONTENT_INJECT_TOP_FRAME
    let time = WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START
    let userScript =
      if let world {
        webkit_user_script_new_for_world(script, frames, time, world, nil, nil)
      } else {
        webkit_user_script_new(script, frames, time, nil, nil)
      }
    webkit_user_content_manager_add_script(manager, userScript)
    webkit_user_script_unref(userScript)
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
