import Synchronization

@testable import LoginCore

/// A way to the user that asks the policy about a few navigations and records what it was asked.
struct FakeUserAgent: UserAgent {
  /// Where the web view would be taken, one after the other.
  var navigations: [String] = []
  /// What an error page would show.
  var body: [UInt8]?
  /// How the visit fails when no navigation ends it.
  var failure = Failure.user(.cancelled(.windowClosed))
  /// Called whenever the agent is asked something.
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

/// What fakes were asked, in order.
final class Record: Sendable {
  /// One question.
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
  /// Whether the user was taken to a page.
  var openPage: Bool { contains { if case .visit = $0 { true } else { false } } }
}
