import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  /// What the papers promise, to the letter: the preset by its name, and a stand-in for VK behind TLS.
  @Suite("tokentry login --provider vk --client-id 753197")
  struct VKTests {
    @Test("Name, password and consent by keyboard end with a token, and nothing is left")
    func token() async throws {
      let desk = try await Desk(tls: true)
      let login = try desk.vk()
      try #require(await desk.showsPage(login, titled: "VK"), "\(login.text + login.errors)")
      let window = try #require(Processes.window(of: login))
      try await desk.signInAtVK()
      try desk.screen.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")
      let pattern =
        #/\{"access_token":"T","token_type":"Bearer","expires_in":(?:86400|863\d\d),"expires_at":"[-0-9T:]+Z","user_id":"1","checks":\{"redirect":"exact","state":"verified"\}\}\n/#
      #expect(login.text.wholeMatch(of: pattern) != nil, "\(login.text)")
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
      #expect(!desk.screen.shows("VK"))
      #expect(desk.filesAtHome == [])
    }

    @Test("A denial by keyboard is VK's own error")
    func denied() async throws {
      let desk = try await Desk(tls: true)
      let login = try desk.vk()
      try #require(await desk.showsPage(login, titled: "VK"), "\(login.text + login.errors)")
      try await desk.signInAtVK()
      try desk.screen.press("Tab")
      try desk.screen.press("Return")
      #expect(await login.end() == 1, "\(login.errors)")
      #expect(
        login.text.hasPrefix(
          #"{"error":"access_denied","error_description":"User denied your request","origin":"provider","#),
        "\(login.text)")
    }

    @Test(
      "However else it ends, the answer says how, and window and processes are gone",
      arguments: chosen(Ending.all, at: 0, 6))
    func ends(_ ending: Ending) async throws {
      let desk = try await Desk(tls: true)
      try await beforeDeadline { deadline in
        let options = ending.code == "timeout" ? deadline : []
        let login = try desk.vk(ending.page, options, trusted: ending.isTrusted)
        try await inTime(login) {
          if let words = ending.failure { return login.errors.contains(words) && desk.screen.shows("VK") }
          if ending.page == "slow" { return desk.requests.contains { $0.hasPrefix("GET /slow") } }
          return desk.isShowingPage(login, titled: "VK")
        }
        let window = try #require(Processes.window(of: login))
        try await ending.act(desk, login)
        #expect(await login.end() == ending.status, "\(login.errors)")
        #expect(login.text.hasPrefix("{\"error\":\"\(ending.code)\""), "\(login.text)")
        #expect(login.text.split(separator: "\n").count == 1)
        #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
        #expect(await eventually { !desk.screen.shows("VK") })
      }
    }
  }
}

extension WindowTests.VKTests {
  /// One way in which a login ends without a token.
  struct Ending: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: Int32
    let code: String
    var page = "vk"
    var isTrusted = true
    /// What is shown in place of the page.
    var failure: String?
    /// What is done once page or failure is there.
    var act: @Sendable (Desk, Program) async throws -> Void = { _, _ in }

    static let all = [
      Ending("Cancel", 3, "cancelled") { desk, _ in
        try desk.screen.run("xdotool", "mousemove", "124", "38", "click", "1")
      },
      Ending("Esc", 3, "cancelled") { desk, _ in try desk.screen.press("Escape") },
      Ending("closing the window", 3, "cancelled") { desk, _ in try desk.screen.close("VK") },
      Ending("the deadline", 4, "timeout"),
      Ending(
        "a crash of the page's process", 7, "window_failed", page: "to-file", failure: "it crashed",
        act: leave),
      Ending("a page that spins for ever", 3, "cancelled", page: "spin") { desk, _ in
        #expect(await desk.spins())
        try desk.screen.press("ctrl+w")
      },
      Ending("the end of the network's process", 5, "network_error", page: "slow") { desk, login in
        let window = try #require(Processes.window(of: login))
        let process = try #require(
          Processes.all.first { $0.group == window && $0.name.hasPrefix("WebKitNetwork") })
        kill(process.identifier, SIGKILL)
        #expect(await eventually { desk.screen.shows("VK") })
        #expect(await eventually { login.errors.contains("cannot be reached") })
        try desk.screen.press("Escape")
      },
      Ending(
        "a host that cannot be reached", 5, "network_error", page: "https://127.0.0.1:30009/vk",
        failure: "cannot be reached", act: leave),
      Ending(
        "a certificate that nobody trusts", 5, "tls_error", isTrusted: false, failure: "cannot be trusted",
        act: leave),
    ]

    private static let leave: @Sendable (Desk, Program) async throws -> Void = { desk, _ in
      try desk.screen.press("Escape")
    }

    init(
      _ name: String, _ status: Int32, _ code: String, page: String = "vk", isTrusted: Bool = true,
      failure: String? = nil,
      act: @escaping @Sendable (Desk, Program) async throws -> Void = { _, _ in }
    ) {
      testDescription = name
      (self.status, self.code, self.page) = (status, code, page)
      (self.isTrusted, self.failure, self.act) = (isTrusted, failure, act)
    }
  }
}

extension Desk {
  /// The login of the papers, but for where VK is.
  fileprivate func vk(
    _ page: String = "vk", _ options: [String] = [], trusted: Bool = true
  ) throws -> Program {
    let address = page.contains("://") ? page : "\(provider)/\(page)"
    let trust = trusted ? ["--trust", "127.0.0.1=\(folder)/certificate.pem"] : []
    return try Program(
      Self.program("tokentry"),
      ["login", "--provider", "vk", "--client-id", "753197", "--trace", "--authorization-endpoint", address]
        + trust + options,
      environment: environment, errorPath: "\(folder)/\(UUID().uuidString)")
  }

  /// Fills in the form, and waits until the question that follows takes keys.
  fileprivate func signInAtVK() async throws {
    try screen.signIn()
    try #require(
      await eventually { self.requests.contains { $0.hasPrefix("GET /vk-waits") } }, "\(requests)"
    )
  }
}
