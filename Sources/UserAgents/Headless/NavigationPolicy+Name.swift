import LoginCore

extension NavigationPolicy.Decision {
  /// The decision in a word, for a trace.
  var name: String {
    switch self {
    case .allow: "allow"
    case .ignore: "ignore"
    case .callback: "callback"
    case .errorPage: "error page"
    }
  }
}
