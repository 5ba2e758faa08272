import Foundation

/// A secret that a process shows in a place where it does not belong.
package struct Exposure: Hashable, Sendable, Comparable, CustomStringConvertible {
  package enum Place: String, Sendable {
    case arguments, environment, memory, file, title, words, output, messages, log
  }

  package let holder: String
  package let place: Place
  package let secret: String

  package init(_ holder: String, _ place: Place, _ secret: String) {
    (self.holder, self.place, self.secret) = (holder, place, secret)
  }

  package var description: String { "\(holder) | \(place.rawValue) | \(secret)" }

  package static func < (left: Exposure, right: Exposure) -> Bool { left.description < right.description }

  /// The names of the secrets in these bytes.
  package static func secrets(_ secrets: [String: String], in data: Data) -> [String] {
    secrets.filter { !$0.value.isEmpty && data.range(of: Data($0.value.utf8)) != nil }.map(\.key)
  }

  /// The secrets in the arguments, the environment and, if wanted, the memory of a process.
  package static func of(
    _ process: pid_t, _ secrets: [String: String], withMemory: Bool
  ) -> Set<Exposure> {
    let folder = "/proc/\(process)"
    guard let name = try? String(contentsOfFile: folder + "/comm", encoding: .utf8) else { return [] }
    let holder = name.trimmingCharacters(in: .whitespacesAndNewlines)
    var found: Set<Exposure> = []
    for (file, place) in [("cmdline", Place.arguments), ("environ", .environment)] {
      guard let data = systemFile(folder + "/" + file) else { continue }
      for secret in Self.secrets(secrets, in: data) { found.insert(Exposure(holder, place, secret)) }
    }
    if withMemory {
      for secret in memory(of: process, secrets) { found.insert(Exposure(holder, .memory, secret)) }
    }
    return found
  }

  private static func contains(_ bytes: Slice<UnsafeRawBufferPointer>, _ wanted: [UInt8]) -> Bool {
    let all = UnsafeRawBufferPointer(rebasing: bytes)
    return all.baseAddress.map { find($0, all.count, wanted, wanted.count) != nil } ?? false
  }

  /// memmem(3), which the C library declares only for GNU sources. Gigabytes are searched, so it has to be fast.
  private static let find = unsafeBitCast(
    dlsym(nil, "memmem"),
    to: (@convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeRawPointer?).self)

  /// The parts of a range that have been written to, including swapped ones (proc_pid_pagemap(5)). A web engine reserves
  /// gigabytes and writes to few of them.
  private static func written(_ place: UInt64, _ size: Int, _ pages: Int32) -> [Range<UInt64>] {
    let page = UInt64(sysconf(Int32(_SC_PAGESIZE)))
    var entries = [UInt64](repeating: 0, count: (size + Int(page) - 1) / Int(page))
    let bytes = pread(pages, &entries, entries.count * 8, off_t(place / page * 8))
    guard bytes == entries.count * 8 else { return [place..<place + UInt64(size)] }
    // Most reserved memory was never written to; its entries are all the same.
    if entries[0] >> 62 == 0, entries.withUnsafeBytes(isUniform) { return [] }
    var parts: [Range<UInt64>] = []
    for (index, entry) in entries.enumerated() where entry >> 62 != 0 {
      let start = place + UInt64(index) * page
      if let last = parts.last, last.upperBound == start {
        parts[parts.count - 1] = last.lowerBound..<start + page
      } else {
        parts.append(start..<start + page)
      }
    }
    return parts
  }

  /// True if all entries of eight bytes are the same.
  private static func isUniform(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    return memcmp(start, start + 8, bytes.count - 8) == 0
  }

  /// The names of the secrets in the writable memory of a process.
  private static func memory(of process: pid_t, _ secrets: [String: String]) -> Set<String> {
    let file = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    guard file >= 0, let maps = systemFile("/proc/\(process)/maps") else { return [] }
    defer { close(file) }
    let pages = open("/proc/\(process)/pagemap", O_RDONLY | O_CLOEXEC)
    defer { close(pages) }
    // The pieces overlap, so that a secret on a border is found.
    let (piece, overlap) = (4 << 20, 4_096)
    var buffer = [UInt8](repeating: 0, count: piece)
    var found: Set<String> = []
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: " ")
      let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard fields[1].hasPrefix("rw"), ends.count == 2 else { continue }
      for place in stride(from: ends[0], to: ends[1], by: piece - overlap) {
        for part in written(place, min(piece, Int(ends[1] - place)), pages) {
          let count = pread(file, &buffer, part.count, off_t(part.lowerBound))
          guard count > 0 else { continue }
          buffer.withUnsafeBytes { bytes in
            for (name, secret) in secrets where !secret.isEmpty && !found.contains(name) {
              if contains(bytes.prefix(count), Array(secret.utf8)) { found.insert(name) }
            }
          }
        }
      }
    }
    return found
  }
}

/// The descendants of a process, and the process itself, at one moment.
package struct Descendants: CustomStringConvertible {
  /// The processes and their start times, because the system reuses numbers.
  private let all: [pid_t: String]

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

  /// Kills the processes with this name.
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

  /// Waits until all have ended. Tokentry promises that within two seconds; this waits for eight, for busy machines.
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
