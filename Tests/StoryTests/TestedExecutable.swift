import Foundation

/// Finds the program that the stories run.
enum TestedExecutable {
  /// No `tokentry` in any of the places that were looked at.
  struct Missing: Error, CustomStringConvertible {
    let candidates: [String]
    var description: String { "no tokentry to test; looked for \(candidates.joined(separator: ", "))" }
  }

  /// The path that `TOKENTRY_EXECUTABLE` names, else the `tokentry` beside the test bundle.
  static func path() throws(Missing) -> String {
    if let named = ProcessInfo.processInfo.environment["TOKENTRY_EXECUTABLE"], !named.isEmpty {
      guard FileManager.default.isExecutableFile(atPath: named) else { throw Missing(candidates: [named]) }
      return URL(filePath: named).standardizedFileURL.path(percentEncoded: false)
    }
    let candidates = directories(
      arguments: CommandLine.arguments,
      executable: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    ).map { $0 + "/tokentry" }
    guard let found = candidates.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw Missing(candidates: candidates)
    }
    return found
  }

  /// The directories in which a build leaves its products, judged by how the test process was started.
  ///
  /// The process is the bundle itself, or a runner of the toolchain with the bundle among its arguments; the
  /// bundle may be a file or a directory.
  static func directories(arguments: [String], executable: String) -> [String] {
    (arguments + [executable]).compactMap { argument in
      var url = URL(filePath: argument)
      while url.pathComponents.count > 1 {
        let parent = url.deletingLastPathComponent()
        if url.pathExtension == "xctest" { return parent.path(percentEncoded: false).trimmingSuffixSlash }
        url = parent
      }
      return nil
    }
  }
}

extension String {
  /// The path of a directory without the slash that `URL` leaves at its end.
  fileprivate var trimmingSuffixSlash: String {
    hasSuffix("/") && count > 1 ? String(dropLast()) : self
  }
}
