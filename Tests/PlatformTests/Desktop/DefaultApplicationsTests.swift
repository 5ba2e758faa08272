import Foundation
import Testing

@testable import Platform

@Suite("Default applications")
struct DefaultApplicationsTests {
  @Test(
    "A handler can be added and removed again without any other change to the file",
    arguments: [
      nil, "[Default Applications]\n", "# mine\n\n[Default Applications]\ntext/html=a.desktop\n",
      "[Added Associations]\nx-scheme-handler/app=a.desktop;\n\n\n[Default Applications]\n\n[Other]\nx=y\n",
      "[Default Applications]\nx-scheme-handler/app=a.desktop;b.desktop\n[Other]\nx=\u{E9}\n",
      "[Other]\nx-scheme-handler/app=other.desktop\n",
      "[Default Applications]\n x-scheme-handler/app = a.desktop\nx-scheme-handler/app2=c.desktop\r\n",
      "[Default Applications]\nx-scheme-handler/app=a.desktop\nx-scheme-handler/app=b.desktop\n",
    ])
  func restored(list: String?) throws {
    try inFolder { folder in
      let path = folder + "/mimeapps.list"
      try list?.write(toFile: path, atomically: true, encoding: .utf8)
      let applications = DefaultApplications(configuration: folder)
      let before = applications.handlers(of: "app")
      #expect(before?.hasPrefix("other") != true)
      #expect(applications.setHandlers("ours.desktop", of: "app"))
      #expect(applications.handlers(of: "app") == "ours.desktop")
      #expect(
        try String(contentsOfFile: path, encoding: .utf8).contains("x-scheme-handler/app=ours.desktop\n"))
      #expect(applications.setHandlers(before, of: "app"))
      let after = try? String(contentsOfFile: path, encoding: .utf8)
      #expect(
        after?.replacingOccurrences(of: " ", with: "")
          == (list == "[Default Applications]\n" ? nil : list)?.replacingOccurrences(of: " ", with: ""))
    }
  }

  @Test("A list that is a symbolic link stays one")
  func link() throws {
    try inFolder { folder in
      try "".write(toFile: folder + "/elsewhere", atomically: true, encoding: .utf8)
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/mimeapps.list", withDestinationPath: "elsewhere")
      #expect(DefaultApplications(configuration: folder).setHandlers("ours.desktop", of: "app"))
      #expect(
        try String(contentsOfFile: folder + "/elsewhere", encoding: .utf8)
          == "[Default Applications]\nx-scheme-handler/app=ours.desktop\n")
      #expect(
        try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/mimeapps.list") == "elsewhere")
    }
  }

  @Test("A list that cannot be read is not replaced")
  func unreadable() throws {
    try inFolder { folder in
      let path = folder + "/mimeapps.list"
      // A link to itself cannot be read, even by root, but it could be replaced.
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "mimeapps.list")
      let applications = DefaultApplications(configuration: folder)
      #expect(applications.handlers(of: "app") == nil)
      #expect(!applications.setHandlers("ours.desktop", of: "app"))
      #expect(!applications.setHandlers(nil, of: "app"))
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "mimeapps.list")
    }
  }

  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }
}
