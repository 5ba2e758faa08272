import Foundation
import Testing

/// Reads the seeds, so that a broken target is noticed before somebody fuzzes. `Tests/tools/fuzz.sh` leaves this file out.
@Suite("Fuzzing")
struct SeedTests {
  /// In a process of its own, because a property that does not hold ends the process, and helpers change standard input.
  @Test("Every property holds for the seeds of a fuzz target", arguments: FuzzTarget.all.map(\.name))
  func seeds(name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      let folder = FileManager.default.temporaryDirectory.appending(path: "fuzzing-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for variable in ["TOKENTRY_FUZZ_FOLDER", "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"] {
        setenv(variable, folder.path(percentEncoded: false), 1)
      }
      setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1)
      let target = try #require(FuzzTarget.all.first { $0.name == name })
      let seeds = try Self.seeds(of: name)
      try #require(!seeds.isEmpty)
      for seed in seeds { target.read(seed) }
    }
  }

  private static func seeds(of name: String) throws -> [[UInt8]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Seeds/\(name)")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .map { Array(try Data(contentsOf: $0)) }
  }
}
