import LoginCore
import Testing

@testable import DemoProvider

@Suite("Expiring tables")
struct ExpiringTableTests {
  private let start = FakeClock().now()

  @Test("A value is available until it expires, and can be taken once")
  func expires() {
    var table = ExpiringTable<Int>(capacity: 10)
    table.insert(1, for: "a", until: start.later(10), now: start)
    #expect(table.value(for: "a", at: start.later(9)) == 1)
    #expect(table.value(for: "a", at: start.later(10)) == nil)
    table.update("a") { $0 = 2 }
    #expect(table.take("a", at: start) == 2)
    #expect(table.take("a", at: start) == nil)
  }

  @Test("Keys are compared by their bytes")
  func bytes() {
    var table = ExpiringTable<Int>(capacity: 10)
    table.insert(1, for: "K", until: start.later(10), now: start)
    #expect("K" == "\u{212A}", "equal to the Kelvin sign for Swift")
    #expect(table.value(for: "\u{212A}", at: start) == nil)
  }

  @Test("A full table drops expired values first, then the value that expires next")
  func capacity() {
    var table = ExpiringTable<Int>(capacity: 3)
    for number in 0..<3 { table.insert(number, for: "\(number)", until: start.later(10), now: start) }
    table.insert(3, for: "3", until: start.later(30), now: start.later(10))
    #expect(table.value(for: "0", at: start) == nil)
    table.insert(4, for: "4", until: start.later(20), now: start.later(10))
    table.insert(5, for: "5", until: start.later(40), now: start.later(10))
    table.insert(6, for: "6", until: start.later(40), now: start.later(10))
    #expect(table.value(for: "4", at: start.later(10)) == nil)
    #expect(table.value(for: "3", at: start.later(10)) == 3)
  }
}
