import LoginWays

extension Requester {
  /// For whom somebody signs in, in lines of their own, so that a name cannot pass for what is known: what is only
  /// claimed never stands alone.
  package var lines: [Sentence] {
    guard let application else { return ["started by \(caller.words)"] }
    // What the system knows under the same name need not be said twice.
    if caller?.name?.lowercased() == application.lowercased() { return ["for \(caller.words)"] }
    return ["for \(application)", "started by \(caller.words)"]
  }
}

extension Caller? {
  fileprivate var words: Sentence {
    guard let self else { return "an unknown program" }
    let kind: String? =
      switch self.kind {
      case .flatpak: "Flatpak"
      case .snap: "snap"
      case .application, .executable: nil
      }
    switch (self.name, kind) {
    case (let name?, let kind?): return "\(name) (\(kind) \(self.identifier))"
    case (let name?, nil): return Sentence(verbatim: name)
    case (nil, let kind?): return "\(kind) \(self.identifier)"
    case (nil, nil): return Sentence(verbatim: self.identifier)
    }
  }
}
