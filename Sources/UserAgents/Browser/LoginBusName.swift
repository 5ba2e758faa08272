import LoginCore

/// The name under which a login that waits for a browser is found on the user's message bus: whoever holds an
/// answer with its state can work the name out, and from the name nobody can work out the state.
package struct LoginBusName: Sendable, Equatable {
  /// The name, which belongs to one login alone.
  package let text: String

  /// The name of the login with this state.
  package init(of state: State, cryptography: any Cryptography) throws(Failure) {
    let digest = try cryptography.digest(.sha256, of: Array(state.revealed().utf8))
    // An element of such a name begins with a letter.
    text = "org.tokentry.Login.h" + String(decoding: digest.flatMap(\.hexadecimalDigits), as: UTF8.self)
  }

  /// The name of the login to which an answer says that it belongs; nothing if it says so nowhere or twice.
  package init?(ofCallback uri: String, cryptography: any Cryptography) throws(Failure) {
    let query = uri.splitOnce(at: "#").0.splitOnce(at: "?").1 ?? ""
    guard uri.utf8.count <= Callback.maximumLength,
      let parameters = ParameterList(form: Array(query.utf8), upTo: Callback.maximumParameters),
      let state = parameters["state"], !parameters.repeats("state")
    else { return nil }
    try self.init(of: State(state), cryptography: cryptography)
  }
}
