import Synchronization

@testable import LoginCore

/// A user agent that passes a few navigations to the policy, and records its calls.
struct FakeUserAgent: UserAgent {
  /// The navigations of the web view, in order.
  var navigations: [String] = []
  /// The body of an error page.
  var body: [UInt8]?
  /// The failure of a visit that no navigation ends.
  var failure = Failure.windowClosed
  let record: Record

  func prepare(for policy: NavigationPolicy) async { record.note(.prepare) }

  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    record.note(.visit(visit.url))
    for navigation in navigations {
      switch visit.policy.decision(for: Array(navigation.utf8)) {
      case .allow, .ignore: continue
      case .callback(let callback): return .callback(callback)
      case .errorPage(let uri): return .errorPage(uri: uri, body: body)
      }
    }
    throw failure
  }

  func dismiss() async { record.note(.dismiss) }
}

/// A clock that stands still and does not wait. It records its calls.
struct FakeClock: WallClock {
  let date: UTCDate
  let record: Record

  func now() -> UTCDate {
    record.note(.now)
    return date
  }

  func wait(seconds: Int64) async throws(Failure) { record.note(.wait(seconds)) }
}

/// The calls that the fakes of one test got, in order.
final class Record: Sendable {
  /// A call.
  enum Event: Sendable, Equatable {
    case prepare
    case visit(String)
    case dismiss
    case now
    case wait(Int64)
    case send(String)
  }

  private let noted = Mutex<[Event]>([])

  var events: [Event] { noted.withLock { $0 } }

  func note(_ event: Event) { noted.withLock { $0.append(event) } }
}

extension [Record.Event] {
  /// True if a page was opened for the user.
  var openPage: Bool { contains { if case .visit = $0 { true } else { false } } }
}
