@testable import LoginCore

/// What can go wrong with a part that an application brings along.
enum FakeFault: ApplicationFault {
  /// A fault of this program alone.
  case ours
  /// One that every other program would have.
  case everybodys

  var concernsOthers: Bool { self == .everybodys }
}
