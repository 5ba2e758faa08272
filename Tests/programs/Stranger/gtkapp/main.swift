import CGTK3
import Foundation
import LoginKit

gtk_init(nil, nil)
let server = CommandLine.arguments[1]
let words = CommandLine.arguments

@MainLoop
final class NotesWindow {
  let window = as_window(gtk_window_new(GTK_WINDOW_TOPLEVEL))
  let label = gtk_label_new("…")
  static let shared = NotesWindow()
  var ticks = 0
  var task: Task<Void, Never>?
  func open() {
    gtk_container_add(as_container(window), label)
    gtk_widget_show_all(as_widget(window))
    task = Task { await load() }
  }
  func load() async {
    do throws(Failure) {
      var client = try OAuthClient(issuer: server, clientID: "tokentry-demo")
      client.allowedOrigins = [server]
      client.store = MemoryStore()
      client.windowProgram = ProcessInfo.processInfo.environment["WINDOW"]
      client.way =
        words[2] == "window"
        ? .window : .headless(form: ["username": "ada", "password": "demo", "decision": "allow"])
      client.onEvent = { event in Task { @MainLoop in NotesWindow.shared.show("\(event)") } }
      let answer = try await client.request(server + "/userinfo", signingIn: true)
      show("status \(answer.status)")
    } catch {
      show(error.text)
    }
    gtk_main_quit()
  }
  func show(_ text: String) {
    print(text, "ticks", ticks)
    gtk_label_set_text(as_label(label), text)
  }
}
Task { @MainLoop in NotesWindow.shared.open() }
let tick: GSourceFunc = { _ in
  MainLoop.assumeIsolated { NotesWindow.shared.ticks += 1 }
  return 1
}
g_timeout_add(10, tick, nil)
gtk_main()
print("ended")
