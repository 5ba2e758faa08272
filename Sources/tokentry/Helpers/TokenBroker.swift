import GLibSupport
import Language
import LoginCore
import Platform
import SignIn

/// Serves a helper: reads the messages of its program, and gets tokens for them.
final class TokenBroker: Sendable {
  /// The helper's protocol.
  private let type: any HelperProtocol.Type
  /// The wishes of the command line.
  private let given: Wishes
  /// The same: silent if the user must not be asked.
  let wishes: Wishes
  /// The account that the caller has named.
  let account: AccountName?
  let signIn: SignInOptions
  let tokens: any TokenSource
  let shared: Composition

  /// The limit for a program's input, in bytes.
  static let maximumInput = 256 * 1_024

  /// Without `mayAsk`, the user is never asked to sign in.
  init(
    _ type: any HelperProtocol.Type, _ given: Wishes, _ shared: Composition, mayAsk: Bool
  ) throws(Failure) {
    var wishes = given
    if !mayAsk { wishes.asking.isSilent = true }
    let terms = try TokenTerms(wishes, shared)
    (self.type, self.given, self.wishes, self.shared) = (type, given, wishes, shared)
    (account, signIn, tokens) = (try wishes.account.name, terms.signIn, shared.tokens(terms))
  }

  /// The arguments after the helper's name.
  var arguments: [String] { wishes.operands }

  /// Returns a broker that has also read the arguments of a request. They win, and say as well where accounts are kept and
  /// which certificates count.
  @GLibActor
  func reread(_ arguments: [String], mayAsk: Bool) async throws(Failure) -> TokenBroker {
    if arguments.isEmpty { return try TokenBroker(type, given, shared, mayAsk: mayAsk) }
    var wishes = try Invocation([Command.helper.rawValue, type.name] + arguments).wishes
    try wishes.take(given.given)
    try await wishes.readFiles()
    if let seconds = wishes.asking.timeout { shared.run.setDeadline(seconds: seconds, isGiven: true) }
    return try TokenBroker(type, wishes, try shared.at(wishes.place, wishes.asking), mayAsk: mayAsk)
  }

  /// Returns the login for an account. `provider` counts only if the caller has named no server, and `scope` only if the
  /// caller has named none.
  func login(
    for account: AccountName, at provider: String? = nil, resource: String? = nil, scope: String? = nil
  ) throws(Failure) -> LoginWish {
    var wishes = wishes
    if !wishes.provider.isNamed { wishes.provider.preset = provider }
    wishes.request.scope = wishes.request.scope ?? scope
    if let resource { wishes.request.resources = [resource] }
    if wishes.account.names.isEmpty { wishes.account.names = [account] }
    return try LoginWish(wishes, shared)
  }
}

/// The tokens.
extension TokenBroker {
  /// Returns the program's wish for a token for an address or, without one, of the account that the caller has named.
  func wish(_ address: TokenWish.Address?, user: String? = nil) -> TokenWish {
    var wish = TokenWish(account, address)
    (wish.user, wish.helper) = (user, type)
    return wish
  }

  /// Returns a token that is good for long enough, and that can be sent without a proof.
  @GLibActor
  func token(_ wish: TokenWish) async throws(Failure) -> GrantedToken {
    let granted = try await tokens.token(wish)
    try granted.token.checkUnbound()
    hideSecrets(of: granted)
    return granted
  }

  /// Returns the token for an address.
  @GLibActor
  func token(at address: String) async throws(Failure) -> GrantedToken {
    try await token(wish(TokenWish.Address(url: address)))
  }

  /// Returns the token for a server, given as an address, or as a host with or without a path.
  @GLibActor
  func token(atServer server: String, user: String? = nil) async throws(Failure) -> GrantedToken {
    try await token(wish(TokenWish.Address(server: server), user: user))
  }

  /// Returns the token. If there is no account, the failure has the words that the program looks for.
  @GLibActor
  func token(_ wish: TokenWish, or words: String) async throws(Failure) -> GrantedToken {
    do throws(Failure) {
      return try await token(wish)
    } catch {
      guard error.isOfOtherServer else { throw error }
      throw Failure(error.code, Message(verbatim: words), hint: .text(error.message))
    }
  }

  /// The time at which the program has to ask again. Some programs need one for every token.
  func end(of granted: GrantedToken) -> String {
    let end = granted.token.expiresAt ?? shared.clock.now().adding(seconds: Self.unknownLife)
    return end?.description ?? ""
  }

  /// The seconds for a token that does not say when it expires. Azure's libraries ask again five minutes before.
  private static let unknownLife: Int64 = 600
}

/// The dialogue with the program, and the log of it.
extension TokenBroker {
  private var caller: String { type.name }

  /// The failure of a program that violates its protocol.
  var malformed: Failure { Failure(.invalidOption, "the request from \(caller) cannot be read") }

  /// The words with which the helper is started.
  var command: String { "\(Command.helper) \(type.name)" }

  /// The failure of a command line that lacks something.
  func lacks(_ something: Message, hint: Failure.Hint? = nil) -> Failure {
    Failure(.invalidOption, "\(command) needs \(something)", hint: hint)
  }

  func checkArguments(_ expected: [String]) throws(Failure) {
    if arguments != expected { throw malformed }
  }

  /// Splits the arguments into words and the values of flags: those that are `taking` a value, and one without.
  func words(
    taking flags: Set<String>, _ bare: String? = nil
  ) throws(Failure) -> (words: [String], flags: [String: [String]]) {
    var (rest, words, values) = (arguments[...], [String](), [String: [String]]())
    while let word = rest.popFirst() {
      let (flag, attached) = word.splitOnce(at: "=")
      if flags.contains(flag) {
        guard let value = attached ?? rest.popFirst() else { throw malformed }
        values[flag, default: []].append(value)
      } else if word != bare {
        if word.hasPrefix("-") { throw malformed }
        words.append(word)
      }
    }
    return (words, values)
  }

  /// Returns the whole standard input.
  @GLibActor
  func input() async throws(Failure) -> [UInt8] {
    let input = InputFile(flag: caller, path: "-")
    let read = await shared.run.reading { try? await input.read(limit: Self.maximumInput) }
    guard let bytes = read else { throw malformed }
    log(heard: bytes)
    return bytes
  }

  /// Reads a JSON object of the program.
  func members(of bytes: [UInt8]) throws(Failure) -> JSONObject {
    try JSONReader.members(of: bytes, maximumSize: Self.maximumInput) { _ in malformed }
  }

  /// Returns an environment variable of the program.
  subscript(variable: String) -> String? {
    let value = shared.environment[variable]
    if let value { log(heard: Array("\(variable)=\(value)".utf8)) }
    return value
  }

  func log(heard bytes: [UInt8]) {
    Messages.hide(secretsInDialogue: bytes)
    shared.messages.trace(
      "received: \(Redaction.addresses(in: String(decoding: bytes, as: UTF8.self)), upTo: 900)")
  }

  func log(said text: String) { if !text.isEmpty { shared.messages.trace("sent: \(text, upTo: 900)") } }

  /// Hides the secrets of a token that is handed out in the log of the dialogue.
  func hideSecrets(of granted: GrantedToken) {
    if shared.messages.areTraced {
      Messages.hide(secretsIn: Array(granted.token.json(at: shared.clock.now()).text.utf8))
    }
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
