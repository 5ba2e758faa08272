import CWebKitGTK
import GLibSupport

/// A script of ours that every page begins with.
@GLibActor
struct PageScript {
  /// Where scripts are that no page sees, nor changes anything for.
  static let world = "tokentry"

  private let text: String
  private let isInFrames: Bool
  private let isApart: Bool

  /// A script that is apart is in a world of its own, else in that of the page.
  init(_ text: String, inFrames isInFrames: Bool = false, apart isApart: Bool = true) {
    (self.text, self.isInFrames, self.isApart) = (text, isInFrames, isApart)
  }

  /// Has the pages of the view, and of those that it opens, begin with it.
  func add(to view: UnsafeMutablePointer<WebKitWebView>) {
    let frames =
      isInFrames ? WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES : WEBKIT_USER_CONTENT_INJECT_TOP_FRAME
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

  /// The same for one that tells something by a handler of this name: `body` is called each time.
  func tell(
    _ handler: String, of view: UnsafeMutablePointer<WebKitWebView>,
    _ body: @escaping @GLibActor () -> Void
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
