import Foundation
@testable import TestSupport
import Testing

@Suite("Standard output when libraries print debug messages", .blocking)
struct StandardOutputTests {
  /// Makes the libraries of the program print as much as they can. LD_DEBUG belongs to the linker.
  static let variables = [
    "G_MESSAGES_DEBUG": "all", "G_DEBUG": "gc-friendly", "G_DBUS_DEBUG": "all", "G_TLS_DEBUG": "all",
    "G_ENABLE_DIAGNOSTIC": "1", "GOBJECT_DEBUG": "instance-count", "SOUP_DEBUG": "all",
    "LIBSECRET_DEBUG": "all", "SECRET_DEBUG": "all", "GNUTLS_DEBUG_LEVEL": "9", "P11_KIT_DEBUG": "all",
    "LIBPROXY_DEBUG": "all", "PX_DEBUG": "1", "XML_DEBUG_CATALOG": "1", "DBUS_VERBOSE": "1",
    "GTK_DEBUG": "misc,plugsocket,text,tree,updates", "GDK_DEBUG": "misc,events,dnd,selection,input",
    "WEBKIT_DEBUG": "all", "JSC_dumpOptions": "1", "GST_DEBUG": "5", "FC_DEBUG": "1023", "PANGO_DEBUG": "all",
    "LIBGL_DEBUG": "verbose", "EGL_LOG_LEVEL": "debug", "MESA_DEBUG": "1", "WAYLAND_DEBUG": "1",
  ]

  /// Expects a complete answer in its format.
  private static func expect(
    _ shape: String, _ outcome: Outcome, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == 0, comment, sourceLocation: sourceLocation)
    switch shape {
    case "env":
      #expect(
        outcome.output == "TOKENTRY_ACCESS_TOKEN='T'\nTOKENTRY_TOKEN_TYPE='Bearer'\n", comment,
        sourceLocation: sourceLocation)
    case "header":
      #expect(outcome.output == "Authorization: Bearer T\n", comment, sourceLocation: sourceLocation)
    default:
      #expect(outcome.accessToken == "T", comment, sourceLocation: sourceLocation)
      #expect(outcome.output.filter { $0 == "\n" }.count == 1, comment, sourceLocation: sourceLocation)
    }
  }

  @Test("Standard output contains the answer only")
  func alone() throws {
    let bus = try PrivateBus(.unlocked)
    let environment = bus.environment.merging(Self.variables) { $1 }
      .merging(["TOKENTRY_CLIENT_SECRET": "x"]) { $1 }
    let server = try StandInServer { _, _ in .json(#"{"access_token":"T","token_type":"Bearer"}"#) }
    let options = [
      "--endpoint", "token=\(server.base)/token", "--grant", "client-credentials", "--client-id", "c",
      "--account", "work",
    ]
    let login = try Tokentry.run(["login"] + options, environment: environment)
    #expect(login.status == 0)
    #expect(login.output == "{\"access_token\":\"T\",\"token_type\":\"Bearer\",\"checks\":{}}\n")
    #expect(login.messages.contains("GDBus-debug"), "the variables have no effect")
    let kept = try Tokentry.run(
      ["token", "--account", "work", "--output", "token"], environment: environment)
    #expect(kept.output == "T\n")
    let failed = try Tokentry.run(["token", "--account", "other"], environment: environment)
    #expect(failed.error == "unknown_account")
    #expect(failed.output.filter { $0 == "\n" }.count == 1)
  }

  @Test(
    "Standard output contains the answer only after a headless login, in every format",
    arguments: ["json", "env", "header"])
  func headless(shape: String) throws {
    let server = try StandInServer { request, _ in
      switch request.path {
      case "/auth": .html("<form method=post action=/in><input name=user></form>")
      case "/in": .redirect("https://app.example/done?code=C&state=S")
      default: .json(#"{"access_token":"T","token_type":"Bearer"}"#)
      }
    }
    let outcome = try Tokentry.run(
      ["login"] + server.endpoints(client: "c") + [
        "--redirect-uri", "https://app.example/done", "--state", "S", "--headless-test", "--form", "user=ann",
        "--output", shape,
      ], environment: Self.variables)
    Self.expect(shape, outcome, "\(outcome.output)")
  }

  @Test(
    "Standard output contains the answer only after a login in the browser",
    arguments: ["json", "env", "header"])
  func browser(shape: String) throws {
    let (bus, provider, browser) = (try PrivateBus(.none), try CodeProvider(), try Browser())
    let environment = Self.variables.merging(bus.environment) { $1 }.merging(try browser.asDesktopsOwn()) {
      $1
    }
    let outcome = try provider.login(["--output", shape], environment: environment)
    Self.expect(shape, outcome, "\(outcome.output)")
  }

  @Test(
    "Standard output contains the answer only after a login in the window",
    arguments: ["json", "env", "header"])
  func window(shape: String) async throws {
    let screen = try await Screen()
    let (bus, provider) = (try PrivateBus(.none), try CodeProvider())
    let environment = Self.variables.merging(bus.environment) { $1 }.merging(["DISPLAY": screen.name]) { $1 }
    let outcome = try await onThread {
      try provider.login(
        [
          "--way", "window", "--redirect-uri", "https://app.example/done", "--output", shape, "--timeout",
          "60",
        ],
        environment: environment)
    }
    Self.expect(shape, outcome, "\(outcome.output)")
  }

  @Test("If the disk reports only on close that it is full, the program fails")
  func fullAtTheEnd() throws {
    let folder = TemporaryFolder()
    let answer = folder.path + "/answer"
    let intoFile = ["/bin/bash", "-c", "exec \"$0\" \"$@\" >'\(answer)'"]
    for isFull in [false, true] {
      let variables = isFull ? try Faulty(in: folder.path).closing(answer) : [:]
      let outcome = try Tokentry.run(["providers"], environment: variables, wrapper: intoFile)
      #expect((outcome.status != 0) == isFull, "\(outcome.messages)")
      #expect(outcome.messages.contains(": the disk is full") == isFull, "\(outcome.messages)")
    }
  }

  @Test("Standard output contains only the answer to git")
  func git() throws {
    let services = try Services()
    try services.writePreset()
    let account = "git:127.0.0.1:\(services.port)"
    try services.logIn(account)
    let outcome = try services.run(
      ["helper", "git", "get"], input: "protocol=http\nhost=127.0.0.1:\(services.port)\n\n", Self.variables)
    let names = outcome.output.split(separator: "\n").map { $0.prefix { $0 != "=" } }
    #expect(names == ["username", "password", "password_expiry_utc"], "\(outcome.output)")
  }
}
