import LoginCore

/// The program that started a login, as the system knows it. Its own claims are not part of this.
package struct RequestingProgram: Sendable, Equatable {
  /// How the system identifies it.
  package enum Kind: String, CaseIterable, Sendable {
    case flatpak, snap
    /// A desktop entry.
    case application
    case executable
  }

  package let kind: Kind
  /// The application's identifier, or the path of an executable.
  package let identifier: String
  /// The name in its desktop entry.
  package let name: String?
  /// The path of the script, or the name of the module, that an interpreter runs.
  package let script: String?

  package init(_ kind: Kind, _ identifier: String, name: String? = nil, script: String? = nil) {
    (self.kind, self.identifier) = (kind, Self.shown(identifier))
    self.name = name.map { $0.forDisplay(limit: Requester.longestName) }
    self.script = script.map(Self.shown)
  }

  /// Returns a path in one line. If the file's name would be invisible, its characters are named.
  private static func shown(_ path: String) -> String {
    let isSeen = path.parts(at: "/").last?.unicodeScalars.contains(where: \.isSeen) ?? false
    return (isSeen ? path : path.namingUnseen).forDisplay(limit: longest)
  }

  private static let longest = 300

  /// The name by which a person may know it.
  fileprivate var shortName: String {
    if let name { return name }
    if kind != .executable { return identifier }
    let path = script ?? identifier
    let last = path.parts(at: "/").last ?? ""
    return last.isEmpty || last.hasPrefix(String.startOfUnseen) ? path : last
  }
}

/// The application that asks the user to sign in: the name it gives itself, and the program that the system sees.
package struct Requester: Sendable, Equatable {
  /// The name that the application claims.
  package private(set) var application: String?
  /// nil if the system does not know the program.
  package private(set) var caller: RequestingProgram?
  /// The kept account that the user signs in to again, with its user in parentheses if that is known.
  package var account: String?

  package init(application: String?, caller: RequestingProgram?) {
    let name = application?.forDisplay(limit: Self.longestName) ?? ""
    (self.application, self.caller) = (name.isEmpty ? nil : name, caller)
  }

  /// Long enough for the name of an application, too short for a sentence that misleads the user.
  fileprivate static let longestName = 60

  /// The name that the application claims, or else the one that the system knows.
  package var name: String? { application ?? caller?.shortName.forDisplay(limit: Self.longestName) }
}

extension RequestingProgram: MemberCoded {
  package init() { self.init(.executable, "") }

  package mutating func code(_ coder: inout MemberCoder) {
    self = RequestingProgram(
      coder.required("kind", kind, .choice()), coder.text("id", identifier),
      name: coder.value("name", name, .text), script: coder.value("script", script, .text))
  }
}

extension Requester: MemberCoded {
  package init() { self.init(application: nil, caller: nil) }

  package mutating func code(_ coder: inout MemberCoder) {
    let given = Requester(
      application: coder.value("application", application, .text),
      caller: coder.value("caller", caller, .object))
    (application, caller) = (given.application, given.caller)
    coder.text("account", &account)
  }
}
