import Foundation
@testable import TestSupport

extension Desk {
  /// The variables with which programs load one of the libraries in this folder before all others, which changes what these do.
  func preload(_ file: String, _ options: String...) throws -> [String: String] {
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: file).path()
    let library = "\(folder)/\(file.replacing(".c", with: ".so"))"
    _ = try Screen.run(["gcc", "-shared", "-fPIC"] + options + ["-o", library, source, "-ldl"], [:])
    return ["LD_PRELOAD": library]
  }
}
