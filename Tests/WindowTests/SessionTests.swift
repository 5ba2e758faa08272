import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("--session")
  struct SessionTests {
    @Test("Without a session, logins keep and share no data")
    func ephemeral() async throws {
      let desk = try await Desk()
      #expect(try await desk.status(at: "remember") == 0)
      #expect(try await desk.status(at: "remembered", "--silent") == 8)
      #expect(desk.filesAtHome == [])
    }

    @Test("A session keeps its cookies until it is forgotten, and does not share them with other sessions")
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

    @Test("An account that needs a new login uses its own session, unless another one is given")
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

    @Test("Only the user can read the files of a session, and they are all in its folder")
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

    @Test("A session cookie of a site ends with the window")
    func brief() async throws {
      let desk = try await Desk()
      #expect(try await desk.status(at: "remember-briefly", "--session", "mail") == 0)
      #expect(try await desk.status(at: "remembered", "--session", "mail", "--silent") == 8)
    }

    @Test(
      "Data that a page stores at the last moment is kept, even on a slow disk or if the page ends late",
      arguments: ["slow-disk.c", "lingering.c"])
    func storage(_ cause: String) async throws {
      let desk = try await Desk()
      let note = desk.folder + "/late"
      let library = try desk.preload(cause, "-DDELAY=300000", "-DNOTE=\"\(note)\"")
      let login = try desk.login(at: "store", "--session", "mail", variables: library)
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(FileManager.default.fileExists(atPath: note), "the delay did not happen")
      let again = try desk.login(at: "stored", "--session", "mail", "--silent")
      #expect(await again.end() == 0, "\(again.errors)")
    }

    @Test("If the disk is far too slow, the login ends all the same, with a warning")
    func unwritten() async throws {
      let desk = try await Desk()
      let library = try desk.preload("slow-disk.c", "-DDELAY=60000000", "-DNOTE=\"/dev/null\"")
      let login = try desk.login(at: "store", "--session", "mail", variables: library)
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.errors.contains("could not be saved in time"), "\(login.errors)")
    }

    @Test("A session does not keep pages, even cacheable ones")
    func noPages() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "stored", "--session", "mail")
      try #require(await desk.showsPage(login), "\(login.errors)")
      #expect(await eventually { desk.filesAtHome.contains { $0.hasSuffix("/mail/storage") } })
      // By then WebKit's disk cache would have written the page.
      try await Task.sleep(for: .seconds(2))
      try desk.screen.press("ctrl+w")
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(!desk.filesAtHome.contains { $0.contains("/Records") })
    }

    @Test("The session of a login that is killed can be used again")
    func killed() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", "--session", "mail")
      try #require(await desk.showsPage(login))
      login.end(SIGKILL)
      _ = await login.end()
      #expect(try await desk.status(at: "remember", "--session", "mail") == 0)
      #expect(try await desk.status(at: "remembered", "--session", "mail", "--silent") == 0)
    }

    @Test("Only one login at a time can use a session")
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

  @Suite("--silent")
  struct SilentTests {
    @Test("No window appears if the provider knows the user, even over several slow pages")
    func unseen() async throws {
      let desk = try await Desk()
      #expect(try await desk.status(at: "remember", "--session", "mail") == 0)
      let windows = try await desk.screen.watchWindows()
      #expect(try await desk.status(at: "remembered", "--session", "mail", "--silent") == 0)
      #expect(try await desk.status(at: "steps", "--silent") == 0)
      #expect(try await desk.status(at: "busy", "--silent") == 0)
      #expect(!windows.text.contains("MapNotify"))
      let seen = try desk.login(at: "auth")
      try #require(await desk.showsPage(seen))
      #expect(await eventually { windows.text.contains("MapNotify") }, "visible windows are noticed")
    }

    @Test(
      "A page that waits for the user, or hangs, ends the login with its address",
      arguments: chosen(["auth", "stuck"], telling: "auth"))
    func needed(_ page: String) async throws {
      let desk = try await Desk()
      let windows = try await desk.screen.watchWindows()
      let login = try desk.login(at: page, "--silent")
      #expect(await login.end(within: 90) == 8, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"login_required\""))
      #expect(login.text.contains("\"details\":{\"uri\":\"\(desk.provider)/\(page)?"))
      #expect(!windows.text.contains("MapNotify"))
    }

    @Test("A page that cannot be loaded ends the login with its failure")
    func failure() async throws {
      let desk = try await Desk()
      let windows = try await desk.screen.watchWindows()
      let login = try desk.login(at: "http://127.0.0.1:30009/auth", "--silent")
      #expect(await login.end() == 5, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"network_error\""))
      #expect(!windows.text.contains("MapNotify"))
    }

    @Test("Without a display for a hidden window, the user has to sign in")
    func noDisplay() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "good", "--silent", variables: ["DISPLAY": ""])
      #expect(await login.end() == 8, "\(login.errors)")
    }

    @Test(
      "A hidden window reports a page that waits for the user, and appears with `show` but not with `raise`")
    func shown() async throws {
      let desk = try await Desk()
      let window = try desk.window(at: "auth?a=1", ["title": "Mail", "hidden": true])
      let required = "{\"login_required\":{\"uri\":\"\(desk.provider)/auth?a=1\"}}\n"
      #expect(await eventually { window.text.contains(required) }, "\(window.text)")
      try window.write("{\"raise\":true}\n")
      try await Task.sleep(for: .milliseconds(500))  // the window would appear by then
      #expect(!desk.screen.shows("Mail"))
      try window.write("{\"show\":true}\n")
      #expect(await eventually { desk.screen.shows("Mail") })
    }
  }
}

extension Desk {
  /// Runs a login without a user, and returns its status.
  fileprivate func status(at page: String, _ options: String...) async throws -> Int32? {
    let login = try login(at: page, more: options)
    return await login.end()
  }

  /// Runs `tokentry`, and returns its output.
  func run(_ arguments: [String]) async throws -> String {
    let program = try tokentry(arguments)
    _ = await program.end(within: 90)
    return program.text
  }

  fileprivate func logout(_ session: String) async throws -> String {
    try await run(["logout", "--session", session])
  }
}
