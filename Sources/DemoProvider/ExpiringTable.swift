import LoginCore

/// A table of values that expire, with a limited number of entries. The keys are secrets.
///
/// Keys are compared by their bytes: as Swift strings, `K` and the Kelvin sign are equal.
struct ExpiringTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var value: Value
    let expiry: UTCDate
  }

  private var entries: [[UInt8]: Entry] = [:]
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// Adds a value. If the table is full, the value that expires first is dropped.
  mutating func insert(_ value: Value, for key: String, until expiry: UTCDate, now: UTCDate) {
    if entries.count >= capacity {
      entries = entries.filter { $0.value.expiry > now }
      if entries.count >= capacity, let first = entries.min(by: { $0.value.expiry < $1.value.expiry }) {
        entries[first.key] = nil
      }
    }
    entries[Array(key.utf8)] = Entry(value: value, expiry: expiry)
  }

  /// Returns the value unless it has expired.
  func value(for key: String, at now: UTCDate) -> Value? {
    guard let entry = entries[Array(key.utf8)], entry.expiry > now else { return nil }
    return entry.value
  }

  mutating func update(_ key: String, _ change: (inout Value) -> Void) {
    guard var entry = entries[Array(key.utf8)] else { return }
    change(&entry.value)
    entries[Array(key.utf8)] = entry
  }

  mutating func removeAll(where isUnwanted: (Value) -> Bool) {
    entries = entries.filter { !isUnwanted($0.value.value) }
  }

  /// Removes the value, and returns it unless it had expired.
  mutating func take(_ key: String, at now: UTCDate) -> Value? {
    defer { entries[Array(key.utf8)] = nil }
    return value(for: key, at: now)
  }
}

extension UTCDate {
  /// The date so many seconds later. This ignores the end of the year 9999, the last that a date can have.
  func later(_ seconds: Int64) -> UTCDate { adding(seconds: seconds) ?? self }
}
