import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("What a login remembers")
  struct SessionTests {
    @Test("Without a name nothing is kept, and nothing shared between two logins")
    func ephemeral() async throws {
      let desk = try await Desk()
      #expect(try await desk.status(at: "remember") == 0)
      #expect(try await desk.status(at: "remembered", "--silent") == 8)
      #expect(desk.filesAtHome == [])
    }

    @Test("Under a name a cookie is kept, for this name alone, until the name is forgotten")
    func named() async throws {
      let desk = try await Desk()
      #expect(try await desk.status(at: "remember", "--session", "a/b") == 0)
      #expect(try await desk.status(at: "remembered", "--session", "a/b", "--silent") == 0)
      #expect(try await desk.status(at: "remembered", "--session", "c", "--silent") == 8)
      #expect(try await desk.status(at: "remembered", "--silent") == 8)
      #expect(try await desk.logout("a/b") == "{\"session\":\"a/b\",\"forgotten\":true}\n")
      #expect(try await desk.logout("a/b") == "{\"session\":\"a/b\",\"forgotten\":false}\n")
      #expect(try await desk.status(at: "remembered", "--session", "a/b", "--silent") == 8)
    }

    @Test("An account that needs a new login has it with its own cookies, unless others are named")
    func account() async throws {
      let desk = try await Desk()
      let store = ["--store", "file:\(desk.folder)/accounts", "--account", "work"]
      let token = ["token", "--min-valid", "3600", "--timeout"]
      #expect(try await desk.status(at: "remember", "--session", "mail") == 0)
      let login = try desk.login(at: "remembered", "--session", "mail", more: store)
      #expect(await login.end() == 0, "\(login.errors)")
      let again = try await desk.run(token + ["60"] + store)
      #expect(again.contains("\"access_token\":\"T\""), "\(again)")
      let other = try await desk.run(token + ["3", "--session", "other"] + store)
      #expect(other.contains("\"error\":\"timeout\""), "\(other)")
      let logout = try await desk.run(["logout"] + store)
      #expect(logout.contains("\"session\":\"mail\""), "\(logout)")
      #expect(try await desk.status(at: "remembered", "--session", "mail", "--silent") == 8)
    }

    @Test("What is kept is readable by the user alone, and nowhere but in its folder")
    func files() async throws {
      let desk = try await Desk()
      #expect(try await desk.status(at: "remember", "--session", "mail") == 0)
      let place = ".local/state/tokentry/sessions/mail"
      let files = desk.filesAtHome
      #expect(files.contains(place + "/cookies.sqlite"))
      for file in files {
        #expect(file.hasPrefix(place) || place.hasPrefix(file), "\(file)")
        var status = stat()
        #expect(lstat("\(desk.folder)/home/\(file)", &status) == 0)
        #expect(status.st_mode & 0o077 == 0, "\(file)")
      }
    }

    @Test("A cookie that lasts until the browser is closed ends with the window")
    func brief() async throws {
      let desk = try await Desk()
      #expect(try await desk.status(at: "remember-briefly", "--session", "mail") == 0)
      #expect(try await desk.status(at: "remembered", "--session", "mail", "--silent") == 8)
    }

    @Test(
      "What a page stores at the last moment is kept, if the disk is slow or the page ends late as well",
      arguments: ["slow-disk.c", "lingering.c"])
    func storage(_ cause: String) async throws {
      let desk = try await Desk()
      let note = desk.folder + "/late"
      let library = try desk.preload(cause, "-DDELAY=300000", "-DNOTE=\"\(note)\"")
      let login = try desk.login(at: "store", "--session", "mail", variables: library)
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(FileManager.default.fileExists(atPath: note), "nothing came late")
      let again = try desk.login(at: "stored", "--session", "mail", "--silent")
      #expect(await again.end() == 0, "\(again.errors)")
    }

    @Test("Where the disk is too slow for that, the login ends all the same, and says so")
    func unwritten() async throws {
      let desk = try await Desk()
      let library = try desk.preload("slow-disk.c", "-DDELAY=60000000", "-DNOTE=\"/dev/null\"")
      let login = try desk.login(at: "store", "--session", "mail", variables: library)
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.errors.contains("could not be written in time"), "\(login.errors)")
    }

    @Test("No page is kept, however long it asks for that")
    func noPages() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "stored", "--session", "mail")
      try #require(await desk.showsPage(login), "\(login.errors)")
      #expect(await eventually { desk.filesAtHome.contains { $0.hasSuffix("/mail/storage") } })
      // WebKit's cache has written a page by then, where it has one on the disk.
      try await Task.sleep(for: .seconds(2))
      try desk.screen.press("ctrl+w")
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(!desk.filesAtHome.contains { $0.contains("/Records") })
    }

    @Test("A login that is killed leaves its name to the next one")
    func killed() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", "--session", "mail")
      try #require(await desk.showsPage(login))
      login.end(SIGKILL)
      _ = await login.end()
      #expect(try await desk.status(at: "remember", "--session", "mail") == 0)
      #expect(try await desk.status(at: "remembered", "--session", "mail", "--silent") == 0)
    }

    @Test("One login at a time uses a name")
    func inUse() async throws {
      let desk = try await Desk()
      let first = try desk.login(at: "auth", "--session", "mail")
      try #require(await desk.showsPage(first))
      let second = try desk.login(at: "auth", "--session", "mail")
      #expect(await second.end() == 8, "\(second.errors)")
      #expect(second.text.contains("\"error\":\"already_in_progress\""))
      #expect(try await desk.logout("mail").contains("\"error\":\"already_in_progress\""))
      #expect(try await desk.status(at: "good", "--session", "news") == 0)
      try desk.screen.press("Escape")
      #expect(await first.end() == 3, "\(first.errors)")
      #expect(try await desk.status(at: "good", "--session", "mail") == 0)
    }
  }

  @Suite("Logins that nobody sees")
  struct SilentTests {
    @Test("A login whose provider knows the user maps no window, whatever way its pages take")
    func unseen() async throws {
      let desk = try await Desk()
      #expect(try await desk.status(at: "remember", "--session", "mail") == 0)
      let watcher = try await desk.screen.watchWindows()
      #expect(try await desk.status(at: "remembered", "--session", "mail", "--silent") == 0)
      #expect(try await desk.status(at: "steps", "--silent") == 0)
      #expect(try await desk.status(at: "busy", "--silent") == 0)
      #expect(!watcher.text.contains("MapNotify"))
      let seen = try desk.login(at: "auth")
      try #require(await desk.showsPage(seen))
      #expect(await eventually { watcher.text.contains("MapNotify") }, "else it watches nothing")
    }

    @Test(
      "A page that stays needs the user, and is named; so does one that answers to nothing any more",
      arguments: chosen(["auth", "stuck"], telling: "auth"))
    func needed(_ page: String) async throws {
      let desk = try await Desk()
      let watcher = try await desk.screen.watchWindows()
      let login = try desk.login(at: page, "--silent")
      #expect(await login.end(within: 90) == 8, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"login_required\""))
      #expect(login.text.contains("\"details\":{\"uri\":\"\(desk.provider)/\(page)?"))
      #expect(!watcher.text.contains("MapNotify"))
    }

    @Test("A page that is not there ends it with its failure")
    func failure() async throws {
      let desk = try await Desk()
      let watcher = try await desk.screen.watchWindows()
      let login = try desk.login(at: "http://127.0.0.1:30009/auth", "--silent")
      #expect(await login.end() == 5, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"network_error\""))
      #expect(!watcher.text.contains("MapNotify"))
    }

    @Test("Without a display there is no hidden window either")
    func noDisplay() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "good", "--silent", variables: ["DISPLAY": ""])
      #expect(await login.end() == 7, "\(login.errors)")
    }

    @Test(
      "A hidden window tells that a page stays, is not raised, and is seen when it is told to show itself")
    func shown() async throws {
      let desk = try await Desk()
      let window = try desk.window()
      let redirects = #""redirect_uris":["https://oauth.vk.com/blank.html"]"#
      try window.write(
        "{\"open\":{\"url\":\"\(desk.provider)/auth?a=1\",\(redirects),\"title\":\"Mail\",\"hidden\":true}}\n"
      )
      let told = "{\"login_required\":{\"uri\":\"\(desk.provider)/auth?a=1\"}}\n"
      #expect(await eventually { window.text.contains(told) }, "\(window.text)")
      try window.write("{\"raise\":true}\n")
      try await Task.sleep(for: .milliseconds(500))  // nothing tells that nothing happens
      #expect(!desk.screen.shows("Mail"))
      try window.write("{\"show\":true}\n")
      #expect(await eventually { desk.screen.shows("Mail") })
    }
  }
}

extension Desk {
  /// The status of a login that nobody touches.
  func status(at page: String, _ options: String...) async throws -> Int32? {
    let login = try login(at: page, more: options)
    let status = await login.end()
    return status
  }

  /// What forgetting a session prints.
  func logout(_ session: String) async throws -> String { try await run(["logout", "--session", session]) }

  /// What the program prints.
  func run(_ arguments: [String]) async throws -> String {
    let program = try Program(
      Self.program("tokentry"), arguments, environment: environment,
      errorPath: "\(folder)/\(UUID().uuidString)")
    _ = await program.end(within: 90)
    return program.text
  }
}
