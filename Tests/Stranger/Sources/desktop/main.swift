import CGtk
import Foundation
import LoginKit

// A program with GTK. Its main loop keeps running during the sign-in and the request.
gtk_init(nil, nil)
nonisolated(unsafe) let window = as_window(gtk_window_new(GTK_WINDOW_TOPLEVEL))
let (server, folder) = (CommandLine.arguments[1], CommandLine.arguments[2])
let secret = CommandLine.arguments.dropFirst(3).first
var settings = try OAuthClient(issuer: server, clientID: "tokentry-demo", clientSecret: secret)
settings.login.scope = "openid"
settings.allowedOrigins = [server]
settings.store = .folder(folder)
let client = settings
Task { @MainLoop in
  gtk_window_set_title(window, "Signing in")
  do {
    let answer = try await client.request(server + "/userinfo", signingIn: true)
    gtk_window_set_title(window, String(decoding: answer.body, as: UTF8.self))
  } catch {
    gtk_window_set_title(window, "\(error)")
  }
}
gtk_window_present(window)
gtk_main()
