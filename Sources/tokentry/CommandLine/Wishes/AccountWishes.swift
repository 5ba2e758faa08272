import LoginCore
import SignIn

/// The kept account.
struct AccountWishes: WishGroup {
  /// Most commands take one.
  var names: [AccountName] = []
  var isIfNeeded = false
  var minimumValidity: Int64?
  /// The servers that the account is for.
  var origins: [Origin] = []
  /// True if a token without an expiry is assumed to be good. nil if the document does not say.
  var assumesUnexpired: Bool?

  static let rows =
    under(
      .account,
      [
        values(
          \.names, "account", .texts("NAME"), "the saved account",
          wanting: "one line of visible text of at most \(AccountName.maximumLength) bytes"
        ) { AccountName($0) },
        flag(\.isIfNeeded, "if-needed", "ask the user only if no saved token works"),
        seconds(\.minimumValidity, "min-valid", "how long it must stay valid"),
        values(\.origins, "for", .texts("ORIGIN"), "a server for the account (or the preset's)") {
          given throws(Failure) in try origin(given.text)
        },
      ]) + [
      value(
        \.assumesUnexpired, "token_assume_unexpired", .json("FLAG", ["boolean"]),
        "true: a token without an expiry does not expire", truth
      ).unlisted()
    ]

  private static func truth(_ given: Given) throws(Failure) -> Bool {
    guard let truth = given.json.bool else { throw .takes(given.name, "true or false") }
    return truth
  }

  /// Reads a server. A host alone means https.
  static func origin(_ text: String) throws(Failure) -> Origin {
    try option("for").parse(text.startOfAuthority == nil ? "https://\(text)" : text, as: Origin.init)
  }

  /// The name of the account, if one was given.
  var name: AccountName? {
    get throws(Failure) {
      if names.count > 1 { throw Failure(.invalidOption, "\(Self.flag("account")) is given twice") }
      return names.first
    }
  }
}

extension TokenDemand {
  init(_ wishes: Wishes) {
    self.init()
    waits = !wishes.place.isImpatient
    // The default covers the request that the token is wanted for.
    validity = wishes.account.minimumValidity ?? 60
    assumesUnexpired = wishes.account.assumesUnexpired
    needsIdentity = wishes.answer.format == .idToken
  }
}

extension TokenTerms {
  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    self.init(demand: TokenDemand(wishes), signIn: try SignInOptions(wishes, shared))
  }
}

extension Wishes {
  /// The name of the account, which may be given as the address of its API.
  func accountName(_ cryptography: any Cryptography) throws(Failure) -> AccountName? {
    let name = try account.name
    if request.resources.isEmpty { return name }
    if name != nil { throw .contradiction(AccountWishes.flag("account"), RequestWishes.flag("resource")) }
    return try AccountName(shortening: try request.api().description, cryptography)
  }

  /// The name of the account, for a command that cannot do without.
  func requiredAccountName(
    for command: Command, _ cryptography: any Cryptography
  ) throws(Failure) -> AccountName {
    guard let name = try accountName(cryptography) else {
      throw .lacks(command, Message(verbatim: AccountWishes.flag("account")), hint: .listAccounts)
    }
    return name
  }
}
