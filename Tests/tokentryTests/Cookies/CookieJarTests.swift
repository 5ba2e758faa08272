import Wording
import LoginWays
import Foundation
import LoginCore
import Testing

@testable import tokentry

@Suite("The folder of a session")
struct CookieJarTests {
  @Test("It is made for the user alone, and so is the way to it")
  func made() throws {
    let place = try Place()
    let folder = try CookieJar(try place.name("a/../b"), under: place.state)
    #expect(folder.path == place.state + "/tokentry/sessions/a%2F..%2Fb")
    for path in [place.state, place.state + "/tokentry", place.state + "/tokentry/sessions", folder.path] {
      #expect(try place.mode(of: path) == 0o700, "\(path)")
    }
  }

  @Test("It is one login's at a time; another name is not concerned")
  func locked() async throws {
    let place = try Place()
    let mail = try place.name("mail")
    var folder: CookieJar? = try CookieJar(mail, under: place.state)
    let failure = #expect(throws: Failure.self) { try CookieJar(mail, under: place.state) }
    #expect(failure == .run(.sessionInUse("mail")))
    #expect(throws: Failure.self) { try CookieJar.existing(mail, under: place.state)?.remove() }
    _ = try CookieJar(try place.name("news"), under: place.state)
    #expect(folder != nil)
    folder = nil
    // A child that another test has made a moment ago has it open, too, until it becomes another program.
    var isFree = false
    for _ in 0..<500 where !isFree {
      isFree = (try? CookieJar(mail, under: place.state)) != nil
      if !isFree { try await Task.sleep(for: .milliseconds(10)) }
    }
    #expect(isFree)
  }

  @Test("A folder that others can open, or that is a link or a file, is refused with a reason")
  func refused() throws {
    let place = try Place()
    let mail = try place.name("mail")
    let path = try CookieJar(mail, under: place.state).path
    let elsewhere = place.path + "/elsewhere"
    try FileManager.default.createDirectory(
      atPath: elsewhere, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let parent = place.state + "/tokentry/sessions"

    chmod(path, 0o750)
    #expect(place.refusal(of: mail) == "--session: \(path) can be read or written by other users")
    #expect(rmdir(path) == 0)
    #expect(symlink(elsewhere, path) == 0)
    #expect(place.refusal(of: mail) == "--session: \(path) is a symbolic link")
    #expect(unlink(path) == 0)
    try "x".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(place.refusal(of: mail)?.hasPrefix("--session: \(path): ") == true)
    #expect(unlink(path) == 0)
    #expect(rmdir(parent) == 0)
    #expect(symlink(elsewhere, parent) == 0)
    #expect(place.refusal(of: mail) == "--session: \(parent) is a symbolic link")
    #expect(throws: Failure.self) { try CookieJar.existing(mail, under: place.state) }
  }

  @Test("The folder above all sessions may be read by others, and not written")
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
      #expect(place.refusal(of: mail)?.hasPrefix("--session: \(top) ") == true, "\(mode)")
      #expect(CookieJar.names(under: place.state) == [])
    }
  }

  @Test("A folder of another user is refused", .enabled(if: geteuid() == 0))
  func foreign() throws {
    let place = try Place()
    let mail = try place.name("mail")
    let path = try CookieJar(mail, under: place.state).path
    chown(path, 65_534, 65_534)
    #expect(place.refusal(of: mail) == "--session: \(path) belongs to another user")
  }

  @Test("Without a place for it, or where it cannot be made, the reason is said")
  func nowhere() throws {
    let place = try Place()
    let mail = try place.name("mail")
    #expect(throws: Failure.self) { try CookieJar(mail, under: nil) }
    let file = place.path + "/file"
    try "x".write(toFile: file, atomically: true, encoding: .utf8)
    let failure = #expect(throws: Failure.self) { try CookieJar(mail, under: file) }
    #expect(failure?.fault(as: ConfigurationFault.self) != nil)
  }

  @Test("Removed, nothing of it is left, nothing else is gone, and the name can be used again")
  func removed() throws {
    let place = try Place()
    let mail = try place.name("mail")
    #expect(try CookieJar.existing(mail, under: place.state) == nil)
    #expect(!FileManager.default.fileExists(atPath: place.state), "looking makes nothing")
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
}

/// A folder of the test's own.
private final class Place {
  let path = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString)").path()
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

  /// Why the folder of a session is not used; only a wrong configuration counts.
  func refusal(of name: CookieJarName) -> String? {
    do throws(Failure) {
      _ = try CookieJar(name, under: state)
      return nil
    } catch {
      return error.fault(as: ConfigurationFault.self).map { _ in Report(error).message.source }
    }
  }
}
