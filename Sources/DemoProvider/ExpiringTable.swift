import LoginCore

/// Values that are found under a secret until their time has come, and no more than so many of them.
///
/// The secrets are compared by their bytes: for Swift's strings `K` and the Kelvin sign are equal.
struct ExpiringTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var value: Value
    let expiry: UTCDate
  }

  private var entries: [[UInt8]: Entry] = [:]
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// Keeps a value. Where there is no room the one that would have ended first makes some.
  mutating func insert(_ value: Value, for key: String, until expiry: UTCDate, now: UTCDate) {
    if entries.count >= capacity {
      entries = entries.filter { $0.value.expiry > now }
      if entries.count >= capacity, let first = entries.min(by: { $0.value.expiry < $1.value.expiry }) {
        entries[first.key] = nil
      }
    }
    entries[Array(key.utf8)] = Entry(value: value, expiry: expiry)
  }

  /// The value, unless its time has come.
  func value(for key: String, at now: UTCDate) -> Value? {
    guard let entry = entries[Array(key.utf8)], entry.expiry > now else { return nil }
    return entry.value
  }

  mutating func update(_ key: String, _ change: (inout Value) -> Void) {
    guard var entry = entries[Array(key.utf8)] else { return }
    change(&entry.value)
    entries[Array(key.utf8)] = entry
  }

  /// Takes a value out, if it is there and its time has not come.
  mutating func take(_ key: String, at now: UTCDate) -> Value? {
    defer { entries[Array(key.utf8)] = nil }
    return value(for: key, at: now)
  }
}

extension UTCDate {
  /// So many seconds later. No clock that this meets is near the end of the year 9999.
  func later(_ seconds: Int64) -> UTCDate { adding(seconds: seconds) ?? self }
}
