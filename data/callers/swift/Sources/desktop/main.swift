import CGTK4
import Foundation
import LoginKit

// An application with GTK 4. Its main loop keeps running while the user signs in, and its button cancels the sign-in.
// The arguments are the address of the server, a folder for the account, and the client secret if there is one.

/// The window, with one button.
@MainLoop
enum Desktop {
  private static let window = gtk_window_new()
  private static let button = gtk_button_new()
  private static var signIn: Task<Void, Never>?

  static func open() {
    gtk_window_set_child(as_window(window), button)
    gtk_window_set_default_size(as_window(window), 320, 80)
    on(button, "clicked") { MainLoop.assumeIsolated { Desktop.press() } }
    on(window, "destroy") { exit(0) }
    press()
    gtk_window_present(as_window(window))
  }

  static func press() {
    if let signIn { return signIn.cancel() }
    signIn = Task {
      let text = await answer()
      signIn = nil
      show(text)
    }
    show("Signing in")
  }

  private static func answer() async -> String {
    let words = CommandLine.arguments
    do throws(Failure) {
      var client = try OAuthClient(
        issuer: words[1], clientID: "tokentry-demo", clientSecret: words.dropFirst(3).first)
      client.login.scope = "openid"
      client.allowedOrigins = [words[1]]
      client.store = .folder(words[2])
      client.parentWindow = "x11:" + String(number_of(window), radix: 16)
      let answer = try await client.request(words[1] + "/userinfo", signingIn: true)
      return String(decoding: answer.body, as: UTF8.self)
    } catch {
      return error.text
    }
  }

  private static func show(_ text: String) {
    gtk_window_set_title(as_window(window), text)
    gtk_button_set_label(as_button(button), signIn == nil ? "Sign in" : "Cancel")
  }
}

gtk_init()
Task { @MainLoop in Desktop.open() }
while true { g_main_context_iteration(nil, 1) }
