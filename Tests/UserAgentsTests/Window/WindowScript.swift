import Foundation
import TestSupport

/// A folder with a script in it that takes the place of the window.
final class WindowScript: Sendable {
  let path = FileManager.default.temporaryDirectory.appending(path: "window-\(UUID().uuidString)").path()
  var program: String { path + "/tokentry-window" }

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ script: String) throws {
    let text = "#!/bin/sh\ncd '\(path)' && read -r line && echo \"$line\" >opened\n\(script)\n"
    try writeProgram(text, to: program)
  }

  func file(_ name: String) -> String {
    ((try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)) ?? "")
      .trimmingCharacters(in: .newlines)
  }

  /// Whether a process is gone, or waits for nothing but somebody to take note of its end.
  func hasEnded(_ process: pid_t) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
      return true
    }
    return stat.contains(") Z ")
  }

  /// Waits until a process has ended; false if that takes longer than anybody would wait.
  func ends(_ process: pid_t) async -> Bool {
    for _ in 0..<1_000 where !hasEnded(process) { try? await Task.sleep(for: .milliseconds(10)) }
    return hasEnded(process)
  }
}
