import Foundation
import Glibc
@testable import Platform
import Testing

@Suite("Leftovers of a killed window")
struct EngineLeftoversTests {
  // No process has this number, because the kernel's limit is 4194304.
  private static let window: pid_t = 4_194_305

  @Test("The window's temporary folders are removed, but not those of other windows or the target of a link")
  func temporary() throws {
    let files = FileManager.default
    let mark = UUID().uuidString
    func folder(_ window: pid_t) -> String { "/tmp/\(EngineLeftovers.folderPrefix(of: window))\(mark)" }
    let (own, other) = (folder(Self.window), folder(Self.window + 1))
    let target = NSTemporaryDirectory() + "kept-\(mark)"
    for path in [own, other, target] {
      try files.createDirectory(atPath: path, withIntermediateDirectories: false)
      try Data("x".utf8).write(to: URL(filePath: path + "/ContentRuleList-redirects"))
    }
    try files.createSymbolicLink(atPath: own + "-link", withDestinationPath: target)
    defer { for path in [own, other, target, own + "-link"] { try? files.removeItem(atPath: path) } }
    EngineLeftovers.remove(of: Self.window)
    #expect(!files.fileExists(atPath: own))
    #expect(files.fileExists(atPath: other + "/ContentRuleList-redirects"))
    #expect(files.fileExists(atPath: target + "/ContentRuleList-redirects"))
  }
}
