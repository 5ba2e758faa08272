import Foundation
import LoginCore
import Testing
import WindowProtocol

@testable import SignIn

@Suite("CookieJar")
struct CookieJarTests {
  @Test("The folder and those above it are private, and a name cannot leave them")
  func made() throws {
    let place = try Place()
    let folder = try CookieJar(try place.name("a/../b"), under: place.state)
    #expect(folder.path == place.state + "/tokentry/sessions/a%2F..%2Fb")
    for path in [place.state, place.state + "/tokentry", place.state + "/tokentry/sessions", folder.path] {
      #expect(try place.mode(of: path) == 0o700, "\(path)")
    }
  }

  @Test("One login at a time uses a session")
  func locked() async throws {
    let place = try Place()
    let mail = try place.name("mail")
    var folder: CookieJar? = try CookieJar(mail, under: place.state)
    let inUse = Failure(.alreadyInProgress, "the session \"mail\" is in use by another login")
    #expect(throws: inUse) { try CookieJar(mail, under: place.state) }
    #expect(throws: inUse) { try CookieJar.existing(mail, under: place.state)?.remove() }
    _ = try CookieJar(try place.name("news"), under: place.state)
    #expect(folder != nil)
    folder = nil
    // A child that another test has just forked holds the lock, too, until it executes another program.
    var isFree = false
    for _ in 0..<500 where !isFree {
      isFree = (try? CookieJar(mail, under: place.state)) != nil
      if !isFree { try await Task.sleep(for: .milliseconds(10)) }
    }
    #expect(isFree)
  }

  @Test("A folder that is open to others, a symbolic link and a file are refused with the reason")
  func refused() throws {
    let place = try Place()
    let mail = try place.name("mail")
    let path = try CookieJar(mail, under: place.state).path
    let elsewhere = place.path + "/elsewhere"
    try FileManager.default.createDirectory(
      atPath: elsewhere, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let parent = place.state + "/tokentry/sessions"

    chmod(path, 0o750)
    #expect(place.refusal(of: mail) == "the kept cookies: \(path) can be read or written by other users")
    #expect(rmdir(path) == 0)
    #expect(symlink(elsewhere, path) == 0)
    #expect(place.refusal(of: mail) == "the kept cookies: \(path) is a symbolic link")
    #expect(unlink(path) == 0)
    try "x".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(place.refusal(of: mail)?.hasPrefix("the kept cookies: \(path): ") == true)
    #expect(unlink(path) == 0)
    #expect(rmdir(parent) == 0)
    #expect(symlink(elsewhere, parent) == 0)
    #expect(place.refusal(of: mail) == "the kept cookies: \(parent) is a symbolic link")
    #expect(throws: Failure.self) { try CookieJar.existing(mail, under: place.state) }
  }

  @Test("Others may read the folder above all sessions, but not write to it")
  func above() throws {
    let place = try Place()
    let mail = try place.name("mail")
    _ = try CookieJar(mail, under: place.state)
    let top = place.state + "/tokentry"
    chmod(top, 0o755)
    #expect(place.refusal(of: mail) == nil)
    #expect(CookieJar.names(under: place.state) == [mail])
    for mode in [0o775, 0o757] as [mode_t] {
      chmod(top, mode)
      #expect(place.refusal(of: mail)?.hasPrefix("the kept cookies: \(top) ") == true, "\(mode)")
      #expect(CookieJar.names(under: place.state) == [])
    }
  }

  @Test("Without a state folder, or if the folder cannot be created, the failure gives the reason")
  func nowhere() throws {
    let place = try Place()
    let mail = try place.name("mail")
    let noPlace = Failure(
      .invalidConfiguration, "the kept cookies: there is no folder for it",
      hint: "set HOME or XDG_STATE_HOME")
    #expect(throws: noPlace) { try CookieJar(mail, under: nil) }
    try "x".write(toFile: place.state, atomically: true, encoding: .utf8)
    #expect(place.refusal(of: mail)?.hasPrefix("the kept cookies: \(place.state)") == true)
  }

  @Test("Removing deletes the folder and no files that links lead to, and the name can be used again")
  func removed() throws {
    let place = try Place()
    let mail = try place.name("mail")
    let news = try CookieJar(try place.name("news"), under: place.state).path
    let folder = try CookieJar(mail, under: place.state)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/deep/deeper", withIntermediateDirectories: true)
    for name in ["cookies.sqlite", "deep/deeper/a", "deep/.hidden"] {
      try "x".write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
    }
    try "x".write(toFile: place.path + "/precious", atomically: true, encoding: .utf8)
    #expect(symlink(place.path, folder.path + "/deep/link") == 0)
    try folder.remove()
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(FileManager.default.fileExists(atPath: news))
    #expect(FileManager.default.fileExists(atPath: place.path + "/precious"))
    _ = try CookieJar(mail, under: place.state)
  }

  @Test("Looking for a session that does not exist creates no folder")
  func missing() throws {
    let place = try Place()
    #expect(try CookieJar.existing(try place.name("mail"), under: place.state) == nil)
    #expect(!FileManager.default.fileExists(atPath: place.state))
  }
}

/// The folder of one test, which is removed at its end.
private final class Place {
  let path = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString)").path()
  /// The user's state folder.
  var state: String { path + "/state" }

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func name(_ text: String) throws -> CookieJarName { try #require(CookieJarName(text)) }

  func mode(of path: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  /// The message with which the session is refused as a wrong configuration, or nil if it can be used.
  func refusal(of name: CookieJarName) -> String? {
    do throws(Failure) {
      _ = try CookieJar(name, under: state)
      return nil
    } catch {
      return error.code == .invalidConfiguration ? error.message.description : "\(error.code): \(error)"
    }
  }
}
