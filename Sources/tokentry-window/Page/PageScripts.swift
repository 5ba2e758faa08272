import CWebKitGTK
import GLibSupport

/// A script of ours that runs at the start of every page.
@GLibActor
struct PageScript {
  /// WebKit's name for the script world in which our scripts run. Pages cannot see or change anything in it.
  static let world = "tokentry"

  private let text: String
  private let isInFrames: Bool
  private let isApart: Bool

  /// A script that is `apart` runs in a world of its own, otherwise in that of the page.
  init(_ text: String, inFrames isInFrames: Bool = false, apart isApart: Bool = true) {
    (self.text, self.isInFrames, self.isApart) = (text, isInFrames, isApart)
  }

  /// Adds the script to the pages of a view, and of the views that it opens.
  func add(to view: UnsafeMutablePointer<WebKitWebView>) {
    let frames = isInFrames ? WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES : WEBKIT_USER_CONTENT_INJECT_TOP_FRAME
    let time = WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START
    let script =
      if isApart {
        webkit_user_script_new_for_world(text, frames, time, Self.world, nil, nil)
      } else {
        webkit_user_script_new(text, frames, time, nil, nil)
      }
    webkit_user_content_manager_add_script(webkit_web_view_get_user_content_manager(view), script)
    webkit_user_script_unref(script)
  }

  /// Adds the script, and calls `body` each time that it posts a message to the handler of this name.
  func add(
    to view: UnsafeMutablePointer<WebKitWebView>, handler: String, _ body: @escaping @GLibActor () -> Void
  ) {
    guard let manager = webkit_web_view_get_user_content_manager(view) else { return }
    let call: @GLibActor @convention(c) (gpointer, OpaquePointer?, gpointer) -> Void = { _, _, data in
      Handler<@GLibActor () -> Void>.body(data)()
    }
    connect(manager, "script-message-received::\(handler)", call, body)
    webkit_user_content_manager_register_script_message_handler_in_world(manager, handler, Self.world)
    add(to: view)
  }
}

/// Detects that a page asks for passkeys (WebAuthn), which WebKitGTK does not support, by a trap on two properties of the
/// browser. This also covers versions of WebKitGTK that declare the properties but have no authenticator: the page keeps its
/// password field.
///
/// The page gets the answer that WebKit gives: there is no such feature. It could notice only that the property is there
/// before it is read for the first time. The script in the page's world tells a script in our world, by an event whose
/// name no page can guess. A message handler in the page's world would create an object `webkit` there, by which pages
/// recognize the web views of telephones.
@GLibActor
enum PasskeyDetector {
  private static let handler = "passkey"

  /// Calls `body` for every page of the view, and of the views that it opens, that asks. Frames are ignored: they are
  /// not the page that the user sees, and many only probe the browser.
  static func watch(_ view: UnsafeMutablePointer<WebKitWebView>, _ body: @escaping @GLibActor () -> Void) {
    guard let random = g_uuid_string_random() else { return }
    defer { g_free(random) }
    let event = String(cString: random)
    let script =
      "document.addEventListener('\(event)', () => webkit.messageHandlers.\(handler).postMessage(''))"
    // This listener comes first, so that it hears the event of the other script.
    PageScript(script).add(to: view, handler: handler, body)
    PageScript(trap(telling: event), apart: false).add(to: view)
  }

  /// Returns a script whose traps remove themselves when the page reads the property or sets its own.
  private static func trap(telling event: String) -> String {
    """
    (() => {
      const tell = document.dispatchEvent.bind(document, new Event('\(event)'))
      for (const [owner, name] of [[window, 'PublicKeyCredential'], [Navigator.prototype, 'credentials']])
        Object.defineProperty(owner, name, {
          configurable: true, enumerable: false,
          get() { delete owner[name]; tell() },
          set(value) { delete owner[name]; this[name] = value }
        })
    })()
    """
  }
}

/// Detects that the user does something in a page or a frame: enters text, by keys, an input method, the clipboard or the
/// mouse, or clicks. The text itself stays in the page.
@GLibActor
enum InputDetector {
  private static let (typed, clicked) = ("typed", "clicked")

  /// Calls one of the closures for every text or click into a page of the view, or of a view that it opens.
  static func watch(
    _ view: UnsafeMutablePointer<WebKitWebView>, typing: @escaping @GLibActor () -> Void,
    clicking: @escaping @GLibActor () -> Void
  ) {
    // Events made by a script do not count, nor do the suggestions of an input method.
    let script = """
      for (const name of ['input', 'compositionend']) addEventListener(name, event => {
        if (event.isTrusted && (name === 'input' ? !event.isComposing : event.data))
          webkit.messageHandlers.\(typed).postMessage('')
      }, true)
      """
    PageScript(script, inFrames: true).add(to: view, handler: typed, typing)
    // Return may submit a form that is filled in already.
    let clicks = """
      for (const name of ['click', 'keydown']) addEventListener(name, event => {
        if (event.isTrusted && (name === 'click' || event.key === 'Enter'))
          webkit.messageHandlers.\(clicked).postMessage('')
      }, true)
      """
    PageScript(clicks, inFrames: true).add(to: view, handler: clicked, clicking)
  }
}
