import LoginWays

/// A page that is not there.
struct FailedLoad {
  /// Why.
  let fault: PageFault
  /// Where it was to come from; nothing if that is not to be asked once more.
  var uri = ""
  /// Whether a form was sent there.
  var isOfForm = false

  /// Whether the process has ended that drew the page, which is loaded again when the user comes back to it.
  var hasEnded: Bool { if case .viewEnded = fault { true } else { false } }
}
