import Foundation
import Testing

@testable import Platform

@Suite("Desktop entries")
struct DesktopEntryTests {
  @Test(
    "The desktop starts the program with the address as one argument, even if its path has special characters"
  )
  func started() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "entry-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["plain", "two words", #"quo"te's"#, #"back\slash"#, "$HOME `id`"] {
      let program = "\(folder)/\(name)/run"
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      try "#!/bin/sh\nprintf '%s|' \"$@\" >\"$(dirname \"$0\")/seen\"\n".write(
        toFile: program, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
      let path = "\(folder)/\(name)/x.desktop"
      try DesktopEntry(opening: "vk53", with: [program, "take-callback:"], comment: "C").text.write(
        toFile: path, atomically: true, encoding: .utf8)
      let launch = Process()
      launch.executableURL = URL(filePath: "/usr/bin/gio")
      launch.arguments = ["launch", path, "vk53://done?a=b&c='d e'"]
      launch.standardError = FileHandle.nullDevice
      try launch.run()
      launch.waitUntilExit()
      var seen = ""
      for _ in 0..<100 where seen.isEmpty {
        usleep(20_000)
        seen = (try? String(contentsOfFile: "\(folder)/\(name)/seen", encoding: .utf8)) ?? ""
      }
      #expect(seen.hasPrefix("take-callback:|vk53://done?a=b&c="), "\(name): \(seen)")
      #expect(seen.split(separator: "|").count == 2, "\(seen)")
    }
  }
}
