import Glibc
import LoginCore

/// Remembers with what this machine's windows show their pages, where the usual does not: one word in a file that
/// is private, is replaced as a whole, and may be missing or damaged without any harm.
struct RenderingMemory: Sendable {
  /// `rendering` in our folder of the XDG Base Directory Specification's state; nothing without a home.
  private let folder: String?

  init(_ environment: Environment) {
    self.init(state: environment.folder("XDG_STATE_HOME", default: ".local/state"))
  }

  /// With the folder in which programs keep their state.
  init(state: String?) { folder = state.map { "\($0)/tokentry" } }

  /// What worked, if that is known.
  var rendering: Rendering? {
    guard let folder else { return nil }
    // Whatever else has that name must neither be followed nor waited for.
    let descriptor = open("\(folder)/rendering", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0, let text = String(validating: bytes[..<count], as: UTF8.self) else { return nil }
    let (word, rest) = text.splitOnce(at: "\n")
    return rest == "" ? Rendering(rawValue: word) : nil
  }

  /// Writes what worked; false if it could not be kept, which the next login has to find out again.
  func keep(_ rendering: Rendering) -> Bool {
    guard let folder, makeFolders(folder) else { return false }
    let (path, draft) = ("\(folder)/rendering", "\(folder)/.rendering.\(getpid())")
    unlink(draft)  // of a process that had the same number and did not live to rename it
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor < 0 { return false }
    let bytes = Array("\(rendering.rawValue)\n".utf8)
    let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    close(descriptor)
    if isWritten, rename(draft, path) == 0 { return true }
    unlink(draft)
    return false
  }

  /// Makes a folder and those above it, as the specification asks: for the user alone.
  private func makeFolders(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return false }
    return makeFolders(String(path[..<slash])) && mkdir(path, 0o700) == 0
  }
}
