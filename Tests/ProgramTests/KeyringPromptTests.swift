import Foundation
@testable import TestSupport
import Testing

@Suite("A keyring that is locked", .blocking)
struct KeyringPromptTests {
  /// The daemon asks for the password in a window of its own, as on a desktop.
  @Test("Whoever wants an account is asked for the keyring's password, and can say no")
  func prompt() async throws {
    let screen = try await Screen()
    let bus = try PrivateBus(.unlocked)
    try bus.start("/usr/libexec/gcr-prompter", variables: ["DISPLAY": screen.name])
    try bus.waitForOwner(of: "org.gnome.keyring.SystemPrompter")
    let callback = "https://oauth.vk.com/blank.html#access_token=T1&expires_in=86400&user_id=1&state=S\n"
    let login = [
      "login", "--provider", "vk", "--client-id", "1", "--state", "S", "--headless-test", "--navigations",
      "-",
      "--account", "work",
    ]
    #expect(try Program.run(login, input: callback, environment: bus.environment).status == 0)
    for (answer, status) in [("password", 0), ("", 9)] as [(String, Int32)] {
      try bus.lock()
      let token = try TestSupport.Program(
        try Program.executable().path(), ["token", "--account", "work"], environment: bus.environment,
        errorPath: screen.folder + "/token")
      let asks = await eventually { screen.shows(".*Unlock.*") }
      try #require(asks, "\(token.errors)")
      try screen.focus(".*Unlock.*")
      try await screen.standsStill()
      try screen.type(answer)
      try screen.press(answer.isEmpty ? "Escape" : "Return")
      #expect(await token.end() == status, "\(token.errors)")
      #expect(token.text.contains(status == 0 ? "\"access_token\":\"T1\"" : "\"error\":\"store_locked\""))
    }
    // Whoever may not ask is answered at once, with a question that nobody answers on the screen.
    for arguments in [["token", "--account", "work", "--silent"], login + ["--silent"]] {
      let silent = try Program.run(
        arguments + ["--timeout", "60"], input: callback, environment: bus.environment)
      #expect(silent["error"] as? String == "store_locked", "\(silent.output)")
    }
  }
}
