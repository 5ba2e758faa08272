import Foundation

/// Removes a folder into which programs that a test has started may still write: what is written meanwhile is removed as
/// well, and where the test does not end those programs itself, they are waited for, which have the folder in their
/// arguments or variables.
public func removeFolder(_ path: String, afterPrograms waits: Bool = false) {
  for _ in 0..<(waits ? 500 : 50) {
    if !waits || !isNamedByProgram(path) {
      try? FileManager.default.removeItem(atPath: path)
      if !FileManager.default.fileExists(atPath: path) { return }
    }
    usleep(40_000)
  }
  try? FileManager.default.removeItem(atPath: path)
}

private func isNamedByProgram(_ path: String) -> Bool {
  let name = Data(path.utf8)
  let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
  return processes.contains { process in
    guard process.first?.isNumber == true, process != "\(getpid())" else { return false }
    return ["cmdline", "environ"].contains { file in
      systemFile("/proc/\(process)/\(file)")?.range(of: name) != nil
    }
  }
}
