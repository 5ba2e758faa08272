import CWebKitGTK
import GLibSupport
import LoginCore

/// A message or question of a page's script (`alert`, `confirm`, `prompt`). The script waits for the answer, which is no if
/// this object goes away without one.
@GLibActor
final class ScriptDialog {
  enum Kind: Equatable {
    case message, question
    /// A question for a text, with the text that the page suggests.
    case prompt(suggestion: String)
  }

  let kind: Kind
  let text: String
  private let pointer: OpaquePointer
  private let view: UnsafeMutablePointer<WebKitWebView>

  /// Returns nil for the question whether to leave a page, which is always answered with yes.
  init?(_ dialog: OpaquePointer, of view: UnsafeMutablePointer<WebKitWebView>) {
    switch webkit_script_dialog_get_dialog_type(dialog) {
    case WEBKIT_SCRIPT_DIALOG_ALERT: kind = .message
    case WEBKIT_SCRIPT_DIALOG_CONFIRM: kind = .question
    case WEBKIT_SCRIPT_DIALOG_PROMPT:
      kind = .prompt(suggestion: Self.text(webkit_script_dialog_prompt_get_default_text(dialog)))
    default:
      webkit_script_dialog_confirm_set_confirmed(dialog, 1)
      return nil
    }
    text = Self.text(webkit_script_dialog_get_message(dialog)).forDisplay(limit: 300)
    pointer = webkit_script_dialog_ref(dialog)
    self.view = view
    g_object_ref(view)
  }

  /// WebKit crashes if a dialog is closed while the view reports it, or after the view has gone.
  isolated deinit {
    nonisolated(unsafe) let (pointer, view) = (pointer, view)
    GLibActor.task {
      webkit_script_dialog_close(pointer)
      webkit_script_dialog_unref(pointer)
      g_object_unref(view)
    }
  }

  /// Lets the script go on. `text` counts for a prompt alone.
  func accept(_ text: String) {
    switch kind {
    case .message: break
    case .question: webkit_script_dialog_confirm_set_confirmed(pointer, 1)
    case .prompt: webkit_script_dialog_prompt_set_text(pointer, text)
    }
  }

  private static func text(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }
}
