import LoginCore
import LoginWays
import PrivateFiles

/// Remembers how this machine's windows show their pages, where the usual does not work, and how large the user has made
/// the last one: a word each in a file that is private, is replaced as a whole, and may be missing or damaged without any
/// harm. Nothing in there says who signed in where.
struct WindowMemory: Sendable {
  /// Our folder in that of the XDG Base Directory Specification for state; nothing without a home.
  private let path: String?

  init(_ environment: Environment) { self.init(state: environment.stateFolder) }

  /// With the folder in which programs keep their state.
  init(state: String?) { path = state.map { "\($0)/tokentry" } }

  /// What worked, if that is known.
  var rendering: Rendering? { word("rendering").flatMap(Rendering.init) }

  /// Writes what worked; false if it could not be kept, which the next login has to find out again.
  func keep(_ rendering: Rendering) -> Bool { keep(rendering.rawValue, in: "rendering") }

  /// How large the last window was when the user had changed it.
  var layout: WindowLayout? { word("window").flatMap(WindowLayout.init) }

  /// Writes how large the window is; if it cannot be kept the next one is as large as they are at first.
  func keep(_ layout: WindowLayout) { _ = keep(layout.description, in: "window") }

  /// What is in a file that holds one line and nothing else.
  private func word(_ file: String) -> String? {
    guard let bytes = try? folder(making: false)?.read(file, limit: 64),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let (word, rest) = text.splitOnce(at: "\n")
    return rest == "" ? word : nil
  }

  private func keep(_ word: String, in file: String) -> Bool {
    guard let folder = try? folder(making: true) else { return false }
    return (try? folder.replace(file, with: Array("\(word)\n".utf8), through: ".\(file).new")) != nil
  }

  private func folder(making: Bool) throws(FileFault) -> PrivateFolder? {
    guard let path else { return nil }
    // The user may let others look at what is kept there, which is no secret.
    return try PrivateFolder(path, making: making, forbidding: 0o022)
  }
}
