import LoginCore
import Platform
import WindowProtocol

/// Remembers how this machine's windows show their pages, if not in the usual way, and how large the user has made the last
/// window. Each is a word in a private file, which is replaced as a whole. Missing and damaged files do no harm.
package struct WindowMemory: Sendable {
  /// Our folder in the user's state folder. nil without a home.
  private let path: String?
  /// False if the caller has named the rendering, which then says nothing about this machine.
  private let keepsRendering: Bool

  package init(_ environment: Environment, keepsRendering: Bool = true) {
    self.init(state: environment.stateFolder, keepsRendering: keepsRendering)
  }

  /// `state` is the user's state folder.
  package init(state: String?, keepsRendering: Bool = true) {
    (path, self.keepsRendering) = (state.map { "\($0)/tokentry" }, keepsRendering)
  }

  /// The rendering with which pages were visible.
  package var rendering: Rendering? { word("rendering").flatMap(Rendering.init) }

  /// Returns false if the rendering is not to be saved, or could not be. The next login then tries again.
  package func keep(_ rendering: Rendering) -> Bool {
    keepsRendering && keep(rendering.rawValue, in: "rendering")
  }

  /// The layout of the last window that the user has changed.
  package var layout: WindowLayout? { word("window").flatMap(WindowLayout.init) }

  package func keep(_ layout: WindowLayout) { _ = keep(layout.description, in: "window") }

  /// Reads a file that has exactly one line.
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

  private func folder(making: Bool) throws(FileError) -> PrivateFolder? {
    // The files hold no secrets, so other users may read the folder.
    try path.map { path throws(FileError) in try PrivateFolder(path, making: making, forbidding: 0o022) }
  }
}
