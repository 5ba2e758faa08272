import Foundation

/// The calls that a program has made to its disk. It computes every state that the disk may have after a power
/// failure: data that was not flushed may be there or not, in any order and to any length.
struct Journal {
  private enum Call {
    case create(path: String, isFolder: Bool)
    case write(path: String, at: Int, [UInt8])
    case resize(path: String, Int)
    case flush(path: String)
    case rename(String, String)
    case unlink(String)
  }

  /// The contents of the disk.
  struct State: CustomStringConvertible {
    fileprivate(set) var files: [String: [UInt8]] = [:]
    fileprivate(set) var folders: [String] = []
    /// True if the program had ended before the power failed.
    let isAtEnd: Bool
    let description: String

    var hasDraft: Bool { files.keys.contains { $0.hasSuffix(".work.new") } }

    func text(of path: String) -> String? { files[path].map { String(decoding: $0, as: UTF8.self) } }

    /// The part of a state that makes it different from others.
    fileprivate struct Contents: Hashable {
      let files: [String: [UInt8]]
      let folders: Set<String>
      let isAtEnd: Bool
    }

    fileprivate var contents: Contents {
      Contents(files: files, folders: Set(folders), isAtEnd: isAtEnd)
    }

    /// Writes the state into a folder.
    func write(to root: String) throws {
      for path in [""] + folders.sorted() {
        try FileManager.default.createDirectory(
          atPath: "\(root)/\(path)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
      }
      for (path, bytes) in files {
        _ = FileManager.default.createFile(
          atPath: "\(root)/\(path)", contents: Data(bytes), attributes: [.posixPermissions: 0o600])
      }
    }
  }

  /// A change of a folder: paths, and the file that each stands for afterwards, if any.
  private struct Entry {
    let folder: String
    let changes: [(path: String, file: Int?)]
  }

  private var calls: [Call]
  private let before: [String: [UInt8]]

  init(of lines: [String], under root: String, _ before: [String: [UInt8]]) {
    self.before = before
    let relative = { (path: String) in String(path.dropFirst(root.count + 1)) }
    calls = lines.compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      let path = relative(words[1])
      if path.isEmpty, words[0] == "folder" { return nil }
      switch words[0] {
      case "create": return .create(path: path, isFolder: false)
      case "folder": return .create(path: path, isFolder: true)
      case "write": return .write(path: path, at: Int(words[2]) ?? 0, Self.bytes(words[3]))
      case "truncate", "allocate": return .resize(path: path, Int(words[2]) ?? 0)
      case "flush": return .flush(path: path)
      case "rename": return .rename(path, relative(words[2]))
      case "unlink": return .unlink(path)
      default: return nil
      }
    }
  }

  var count: Int { calls.count }

  /// The positions of the flushes.
  var flushes: [Int] {
    calls.indices.filter { if case .flush = calls[$0] { true } else { false } }
  }

  func without(_ number: Int) -> Journal {
    var journal = self
    journal.calls.remove(at: number)
    return journal
  }

  /// All files below a folder.
  static func files(in root: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for path in FileManager.default.enumerator(atPath: root)?.compactMap({ $0 as? String }) ?? [] {
      if let data = FileManager.default.contents(atPath: "\(root)/\(path)") { files[path] = Array(data) }
    }
    return files
  }

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
  }

  /// Returns the different states after a power failure at each call. `everyByte` tries every length of a
  /// write, and not only some.
  func states(everyByte: Bool) -> [State] {
    var seen: Set<State.Contents> = []
    var states: [State] = []
    for count in 0...calls.count {
      for state in self.states(after: count, everyByte) where seen.insert(state.contents).inserted {
        states.append(state)
      }
    }
    return states
  }

  /// The state that is certain, and the changes that may be on the disk.
  private struct Replay {
    /// The names as the program sees them.
    var names: [String: Int] = [:]
    /// The names on the disk.
    var kept: [String: Int] = [:]
    var folders: Set<String> = [""]
    var pending: [Entry] = []
    var contents: [[UInt8]] = []
    var unwritten: [[Call]] = []

    /// Stands for a folder.
    static let folder = -1
  }

  private func replayed(_ count: Int) -> Replay {
    var replay = Replay()
    for (path, bytes) in before {
      replay.contents.append(bytes)
      replay.unwritten.append([])
      replay.names[path] = replay.contents.count - 1
      var folder = Self.folder(of: path)
      while folder != "" {
        replay.names[folder] = Replay.folder
        folder = Self.folder(of: folder)
      }
    }
    replay.kept = replay.names
    for call in calls.prefix(count) { Self.replay(call, &replay) }
    return replay
  }

  private static func replay(_ call: Call, _ replay: inout Replay) {
    switch call {
    case .create(let path, let isFolder):
      if !isFolder {
        replay.contents.append([])
        replay.unwritten.append([])
      }
      change([(path, isFolder ? Replay.folder : replay.contents.count - 1)], &replay)
    case .write(let path, _, _), .resize(let path, _):
      if let file = replay.names[path], file >= 0 { replay.unwritten[file].append(call) }
    case .rename(let old, let new): change([(old, nil), (new, replay.names[old])], &replay)
    case .unlink(let path): change([(path, nil)], &replay)
    case .flush(let path):
      if let file = replay.names[path], file >= 0 {
        replay.contents[file] = applied(replay.unwritten[file], to: replay.contents[file])
        replay.unwritten[file] = []
      } else {
        for entry in replay.pending where entry.folder == path { apply(entry, to: &replay.kept) }
        replay.pending.removeAll { $0.folder == path }
      }
    }
  }

  private static func change(_ changes: [(path: String, file: Int?)], _ replay: inout Replay) {
    let entry = Entry(folder: folder(of: changes[0].path), changes: changes)
    apply(entry, to: &replay.names)
    replay.pending.append(entry)
  }

  private static func apply(_ entry: Entry, to names: inout [String: Int]) {
    for (path, file) in entry.changes { names[path] = file }
  }

  private static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  private static func applied(_ calls: [Call], to bytes: [UInt8], isBlank: Bool = false) -> [UInt8] {
    var bytes = bytes
    for call in calls {
      switch call {
      case .write(_, let place, let new):
        if bytes.count < place + new.count {
          bytes += [UInt8](repeating: 0, count: place + new.count - bytes.count)
        }
        if !isBlank { bytes.replaceSubrange(place..<place + new.count, with: new) }
      case .resize(_, let size):
        bytes = Array(bytes.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - bytes.count))
      default: break
      }
    }
    return bytes
  }

  /// The possible contents of a file with unflushed calls: before, after, after without the bytes, and with a
  /// part of the last write.
  private static func fates(_ calls: [Call], of bytes: [UInt8], _ everyByte: Bool) -> [[UInt8]] {
    if calls.isEmpty { return [bytes] }
    var fates = [bytes, applied(calls, to: bytes), applied(calls, to: bytes, isBlank: true)]
    for (number, call) in calls.enumerated() {
      fates.append(applied(Array(calls.prefix(number)), to: bytes))
      guard case .write(let path, let place, let new) = call else { continue }
      for count in stride(from: 1, to: new.count, by: everyByte ? 1 : max(1, new.count / 3)) {
        let part = Call.write(path: path, at: place, Array(new.prefix(count)))
        fates.append(applied(calls.prefix(number) + [part], to: bytes))
      }
    }
    return fates
  }

  private func states(after count: Int, _ everyByte: Bool) -> [State] {
    let replay = replayed(count)
    var states: [State] = []
    for choice in 0..<(1 << replay.pending.count) {
      var names = replay.kept
      for (number, entry) in replay.pending.enumerated() where choice >> number & 1 == 1 {
        Self.apply(entry, to: &names)
      }
      let reached = names.filter { Self.isReached($0.key, names) }
      let files = Set(reached.values.filter { $0 >= 0 && !replay.unwritten[$0].isEmpty })
      // Each file by itself: their contents do not depend on each other.
      for file in files.isEmpty ? [-1] : Array(files) {
        let fates = file < 0 ? [[]] : Self.fates(replay.unwritten[file], of: replay.contents[file], everyByte)
        for (number, fate) in fates.enumerated() {
          var state = State(
            isAtEnd: count == calls.count,
            description: "after call \(count), names \(choice), bytes \(number)")
          for (path, other) in reached {
            if other == Replay.folder {
              state.folders.append(path)
            } else {
              state.files[path] = other == file ? fate : replay.contents[other]
            }
          }
          states.append(state)
        }
      }
    }
    return states
  }

  private static func isReached(_ path: String, _ names: [String: Int]) -> Bool {
    let above = folder(of: path)
    return above == "" || names[above] == Replay.folder && isReached(above, names)
  }
}
