import CWebKitGTK
import GLibSupport

/// Notices that somebody puts something into a page, however that is done: by keys, an input method, the clipboard or
/// the mouse, and in frames as well. What it is nobody is told.
@GLibActor
enum TypingNotice {
  private static let handler = "typed"

  /// Calls `body` for every piece that is put into a page of the view, or of one that it opens.
  static func watch(
    _ view: UnsafeMutablePointer<WebKitWebView>, _ body: @escaping @GLibActor () -> Void
  ) {
    // An event that a script has made is nobody's word, and what an input method only suggests is nothing yet.
    let script = """
      for (const name of ['input', 'compositionend']) addEventListener(name, event => {
        if (event.isTrusted && (name === 'input' ? !event.isComposing : event.data))
          webkit.messageHandlers.\(handler).postMessage('')
      }, true)
      """
    PageScript(script, inFrames: true).tell(handler, of: view, body)
  }
}
