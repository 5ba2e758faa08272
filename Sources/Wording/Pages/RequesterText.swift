import LoginWays

extension Requester {
  /// For whom somebody signs in, in lines of their own, so that a name cannot pass for what is known: what is only
  /// claimed never stands alone.
  package var lines: [String] {
    guard let application else { return ["started by \(caller.words)"] }
    // What the system knows under the same name need not be said twice.
    if caller?.name?.lowercased() == application.lowercased() { return ["for \(caller.words)"] }
    return ["for \(application)", "started by \(caller.words)"]
  }
}

extension Caller? {
  fileprivate var words: String {
    guard let self else { return "an unknown program" }
    let kind: String? =
      switch self.kind {
      case .flatpak: "Flatpak"
      case .snap: "snap"
      case .application, .executable: nil
      }
    guard let name = self.name else {
      return [kind, self.identifier].compactMap(\.self).joined(separator: " ")
    }
    return kind.map { "\(name) (\($0) \(self.identifier))" } ?? name
  }
}
