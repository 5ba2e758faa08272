import GLibSupport
import LoginCore
import Wording

/// The dialogue with the program, and the log of it.
extension TokenBroker {
  /// The arguments after the helper's name.
  var arguments: [String] { given.operands }

  private var caller: String { given.helperProtocol?.name ?? "" }

  /// The failure of a program that violates its protocol.
  var malformed: Failure { Failure(.invalidOption, "the request from \(caller) cannot be read") }

  func checkArguments(_ expected: [String]) throws(Failure) {
    if arguments != expected { throw malformed }
  }

  /// Returns the whole standard input.
  @GLibActor
  func input() async throws(Failure) -> [UInt8] {
    let input = InputFile(flag: caller, path: "-")
    run.interruption.isReading = true
    guard let bytes = try? await input.read(limit: Self.maximumInput) else { throw malformed }
    run.interruption.isReading = false
    log(heard: bytes)
    return bytes
  }

  /// Reads a JSON object of the program.
  func members(of bytes: [UInt8]) throws(Failure) -> JSONObject {
    try JSONReader.members(of: bytes, maximumSize: Self.maximumInput) { _ in malformed }
  }

  /// Returns an environment variable of the program.
  subscript(variable: String) -> String? {
    let value = run.environment[variable]
    if let value { log(heard: Array("\(variable)=\(value)".utf8)) }
    return value
  }

  func log(heard bytes: [UInt8]) {
    Messages.hide(secretsInDialogue: bytes)
    run.messages.trace(
      "received: \(Redaction.addresses(in: String(decoding: bytes, as: UTF8.self)), upTo: 900)")
  }

  func log(said text: String) { if !text.isEmpty { run.messages.trace("sent: \(text, upTo: 900)") } }

  /// Hides the secrets of an account that is handed out in the log of the dialogue.
  func hideSecrets(of account: Account) {
    if run.messages.areTraced {
      Messages.hide(secretsIn: Array(account.token.json(at: run.clock.now()).text.utf8))
    }
  }
}

/// The tokens that are handed out.
extension Account {
  /// The access token, if a header field can carry it.
  func sendableToken() throws(Failure) -> AccessToken {
    guard let token = token.accessToken else { throw .missingToken(["access_token"]) }
    _ = try AuthorizationHeader(token, scheme: self.token.scheme)
    return token
  }

  /// The value of an `Authorization` field.
  func authorization() throws(Failure) -> String {
    try AuthorizationHeader(try sendableToken(), scheme: token.scheme).value
  }
}

extension TokenBroker {
  /// Returns the id_token of an account and the time at which it expires. An expired one is renewed with the access token.
  @GLibActor
  func identification(of account: Account) async throws(Failure) -> (token: String, end: UTCDate?) {
    let access = AccountAccess(settings, run, try SignIn(settings, run))
    let account = try await access.identified(account)
    hideSecrets(of: account)
    guard let idToken = account.token.idToken else {
      throw Failure(
        .invalidConfiguration, "the account \"\(account.name)\" has no id_token",
        hint: "sign in to it again with openid in --scope; kubernetes takes --access-token as well")
    }
    return (idToken, account.endOfIdentity)
  }
}

extension Messages {
  /// Hides the secrets that a program sends: in a JSON object, in lines of attributes, or in an address.
  fileprivate static func hide(secretsInDialogue bytes: [UInt8]) {
    hide(secretsIn: bytes)
    if let secret = (try? JSONReader.read(bytes))?.object?["Secret"]?.string { hide(secret) }
    for line in String(decoding: bytes, as: UTF8.self).parts(at: "\n") {
      let (name, value) = line.splitOnce(at: "=")
      if let value, ["password", "credential", "oauth_refresh_token"].contains(name) { hide(value) }
      guard let start = line.startOfAuthority else { continue }
      let authority = String(line[start...]).splitOnce(at: "/").0
      if let at = authority.lastIndex(of: "@") {
        authority[..<at].split(separator: ":").forEach { hide(String($0)) }
      }
    }
  }
}
