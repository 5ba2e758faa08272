import LoginCore

/// Asks the person at this desktop whether a program, perhaps on another machine, may have a token.
package struct PermissionQuestion: Sendable, Equatable {
  package enum Kind: String, Sendable {
    /// The program wants a token of an account that is signed in.
    case token
    /// The program wants the user to sign in first.
    case signIn = "sign_in"
  }

  package var kind: Kind
  /// The program's name, such as `ssh`.
  package var program: String
  /// The destination of the ssh connection through which it asks. Everyone there who reaches the socket can ask as well.
  package var server: String?
  package var account: String
  /// The address that the token is for. nil for any.
  package var address: String?
  /// True if the user may also allow it for one hour.
  package var offersHour: Bool

  package init(
    _ kind: Kind, program: String, server: String? = nil, account: String, address: String? = nil,
    offersHour: Bool
  ) {
    (self.kind, self.program, self.server) = (kind, program, server)
    (self.account, self.address) = (account, address)
    self.offersHour = offersHour
  }

  /// Reads the members. Unknown ones come from later versions and are ignored.
  init?(_ object: JSONObject) {
    guard let kind = object["kind"]?.string.flatMap(Kind.init), let program = object["program"]?.string,
      let account = object["account"]?.string
    else { return nil }
    self.init(
      kind, program: program, server: object["server"]?.string, account: account,
      address: object["address"]?.string, offersHour: object["hour"]?.bool ?? false)
  }

  var json: JSONObject {
    [
      "kind": .string(kind.rawValue), "program": .string(program), "server": server.map(JSONValue.string),
      "account": .string(account), "address": address.map(JSONValue.string),
      "hour": .bool(offersHour),
    ]
  }
}

/// The answer to a ``PermissionQuestion``.
package enum PermissionAnswer: String, Sendable {
  case once, hour, refuse
}
