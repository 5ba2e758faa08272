import Foundation

/// Where the system shows what a process knows, and which of some secrets are there.
package struct Exposure: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// A place in which a secret can be found.
  package enum Place: String, Sendable {
    case arguments, environment, memory, file, title, output, messages, log
  }

  package let holder: String
  package let place: Place
  package let secret: String

  package init(_ holder: String, _ place: Place, _ secret: String) {
    (self.holder, self.place, self.secret) = (holder, place, secret)
  }

  package var description: String { "\(holder) | \(place.rawValue) | \(secret)" }

  package static func < (left: Exposure, right: Exposure) -> Bool { left.description < right.description }

  /// The secrets that are in these bytes, by their names: as they are, and as a header field has them.
  package static func secrets(_ secrets: [String: String], in data: Data) -> [String] {
    secrets.filter { !$0.value.isEmpty && data.range(of: Data($0.value.utf8)) != nil }.map(\.key)
  }

  /// What is in the arguments, the environment and, if wanted, the memory of a process.
  package static func of(
    _ process: pid_t, _ secrets: [String: String], withMemory: Bool
  ) -> Set<Exposure> {
    let folder = "/proc/\(process)"
    guard let name = try? String(contentsOfFile: folder + "/comm", encoding: .utf8) else { return [] }
    let holder = name.trimmingCharacters(in: .whitespacesAndNewlines)
    var found: Set<Exposure> = []
    for (file, place) in [("cmdline", Place.arguments), ("environ", .environment)] {
      guard let data = read(folder + "/" + file) else { continue }
      for secret in Self.secrets(secrets, in: data) { found.insert(Exposure(holder, place, secret)) }
    }
    if withMemory {
      for secret in memory(of: process, secrets) { found.insert(Exposure(holder, .memory, secret)) }
    }
    return found
  }

  /// Files of the system tell no size.
  private static func read(_ path: String) -> Data? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = Glibc.read(file, &buffer, buffer.count), count > 0 { data += buffer[..<count] }
    return data
  }

  private static func contains(_ bytes: Slice<UnsafeRawBufferPointer>, _ wanted: [UInt8]) -> Bool {
    var rest = UnsafeRawBufferPointer(rebasing: bytes)
    while let start = rest.baseAddress, rest.count >= wanted.count,
      let hit = memchr(start, Int32(wanted[0]), rest.count - wanted.count + 1)
    {
      if memcmp(hit, wanted, wanted.count) == 0 { return true }
      rest = UnsafeRawBufferPointer(rebasing: rest[(start.distance(to: UnsafeRawPointer(hit)) + 1)...])
    }
    return false
  }

  /// Which secrets are in what a process can write to.
  private static func memory(of process: pid_t, _ secrets: [String: String]) -> Set<String> {
    let file = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    guard file >= 0, let maps = read("/proc/\(process)/maps") else { return [] }
    defer { close(file) }
    var found: Set<String> = []
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: " ")
      let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard fields[1].hasPrefix("rw"), ends.count == 2 else { continue }
      // What lies across the border of two pieces is found in neither, unless they overlap.
      let (piece, overlap) = (4 << 20, 4_096)
      var place = ends[0]
      var buffer = [UInt8](repeating: 0, count: piece)
      while place < ends[1] {
        let size = min(piece, Int(ends[1] - place))
        let count = pread(file, &buffer, size, off_t(place))
        guard count > 0 else { break }
        buffer.withUnsafeBytes { bytes in
          for (name, secret) in secrets where !secret.isEmpty && !found.contains(name) {
            if contains(bytes.prefix(count), Array(secret.utf8)) { found.insert(name) }
          }
        }
        if size < piece { break }
        place += UInt64(piece - overlap)
      }
    }
    return found
  }
}

/// The processes that another has started, and they in turn, at an instant.
package struct Descendants: CustomStringConvertible {
  /// Each with the time of its start, since numbers are used again.
  private let all: [pid_t: String]

  /// The process itself counts as well.
  package init(of process: pid_t) {
    let stats = Self.stats
    var found: Set<pid_t> = [process]
    var isGrowing = true
    while isGrowing {
      let more = stats.filter { found.contains($0.value.parent) && !found.contains($0.key) }.map(\.key)
      isGrowing = !more.isEmpty
      found.formUnion(more)
    }
    all = stats.filter { found.contains($0.key) }.mapValues(\.start)
  }

  /// Ends those of this name.
  package func end(_ name: String) {
    for process in left
    where (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) == name + "\n" {
      kill(process, SIGKILL)
    }
  }

  package var identifiers: [pid_t] { all.keys.sorted() }

  private static var stats: [pid_t: (parent: pid_t, start: String)] {
    var stats: [pid_t: (parent: pid_t, start: String)] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let process = pid_t(name),
        let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { continue }
      let fields = text[text.index(end, offsetBy: 2)...].split(separator: " ")
      guard fields.count > 19, fields[0] != "Z", let parent = pid_t(fields[1]) else { continue }
      stats[process] = (parent, String(fields[19]))
    }
    return stats
  }

  private var left: [pid_t] {
    let stats = Self.stats
    return all.filter { stats[$0.key]?.start == $0.value }.map(\.key)
  }

  /// Waits until they have ended: that is promised within two seconds, and a busy machine is given more.
  package func areGone() -> Bool {
    for _ in 0..<800 {
      if left.isEmpty { return true }
      usleep(10_000)
    }
    return false
  }

  package var description: String {
    left.map { "\($0) \((try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) ?? "")" }
      .joined(separator: ", ")
  }
}
