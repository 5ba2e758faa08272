import LoginCore

/// The program that has started a login, as the system knows it: nothing that it says of itself is part of this.
package struct Caller: Sendable, Equatable {
  /// By what it is known.
  package enum Kind: String, Sendable {
    case flatpak, snap
    /// A desktop entry.
    case application
    case executable
  }

  package let kind: Kind
  /// What the system calls it: an identifier, or the path of an executable.
  package let identifier: String
  /// What the desktop calls it, where it does.
  package let name: String?

  package init(_ kind: Kind, _ identifier: String, name: String? = nil) {
    (self.kind, self.identifier) = (kind, identifier.forDisplay(limit: Self.longest))
    self.name = name.map { $0.forDisplay(limit: Self.longest) }
  }

  private static let longest = 120
}

/// Who wants somebody to sign in: the name that an application gives itself, and what the system knows of it.
package struct Requester: Sendable, Equatable {
  /// What is only claimed.
  package let application: String?
  /// Nothing if the system does not know it.
  package let caller: Caller?

  /// A name may be long enough for any application, and too short to write something else beside it.
  package init(application: String?, caller: Caller?) {
    let name = application?.forDisplay(limit: 60) ?? ""
    (self.application, self.caller) = (name.isEmpty ? nil : name, caller)
  }
}

extension Requester {
  /// Reads the members; those that are not known are left to later versions.
  init(_ object: JSONObject) {
    let caller = object["caller"]?.object
    let kind = caller?["kind"]?.string.flatMap(Caller.Kind.init)
    let known = kind.flatMap { kind in
      caller?["id"]?.string.map { Caller(kind, $0, name: caller?["name"]?.string) }
    }
    self.init(application: object["application"]?.string, caller: known)
  }

  /// The members that say something.
  var json: JSONObject {
    let caller = caller.map { caller -> JSONValue in
      .object([
        "kind": .string(caller.kind.rawValue), "id": .string(caller.identifier),
        "name": caller.name.map(JSONValue.string),
      ])
    }
    return ["application": application.map(JSONValue.string), "caller": caller]
  }
}
