import Foundation
import Glibc
@testable import PrivateFiles
import Testing

@Suite("What a window leaves behind that is ended")
struct EngineLeftoversTests {
  // No process has this number: the kernel's own limit is 4194304.
  private static let window: pid_t = 4_194_305

  @Test("Its own temporary folders go, and neither those of other windows nor what a link leads to")
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
