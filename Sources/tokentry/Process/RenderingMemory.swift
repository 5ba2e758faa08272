import LoginCore
import LoginWays
import PrivateFiles

/// Remembers with what this machine's windows show their pages, where the usual does not: one word in a file that
/// is private, is replaced as a whole, and may be missing or damaged without any harm.
struct RenderingMemory: Sendable {
  private static let file = "rendering"

  /// Our folder in that of the XDG Base Directory Specification for state; nothing without a home.
  private let path: String?

  init(_ environment: Environment) { self.init(state: environment.stateFolder) }

  /// With the folder in which programs keep their state.
  init(state: String?) { path = state.map { "\($0)/tokentry" } }

  /// What worked, if that is known.
  var rendering: Rendering? {
    guard let bytes = try? folder(making: false)?.read(Self.file, limit: 64),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let (word, rest) = text.splitOnce(at: "\n")
    return rest == "" ? Rendering(rawValue: word) : nil
  }

  /// Writes what worked; false if it could not be kept, which the next login has to find out again.
  func keep(_ rendering: Rendering) -> Bool {
    let bytes = Array("\(rendering.rawValue)\n".utf8)
    guard let folder = try? folder(making: true) else { return false }
    return (try? folder.replace(Self.file, with: bytes, through: ".\(Self.file).new")) != nil
  }

  private func folder(making: Bool) throws(FileFault) -> PrivateFolder? {
    guard let path else { return nil }
    // The user may let others look at what is kept there, which is no secret.
    return try PrivateFolder(path, making: making, forbidding: 0o022)
  }
}
