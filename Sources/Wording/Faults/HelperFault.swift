import LoginCore

/// Why a program that asks its helper for a token gets none.
package enum HelperFault: ApplicationFault {
  case unknownHelper(String, nearest: String?)
  /// No account is meant for this address.
  case noAccount(String)
  /// The same where an address of an API is all that a login needs.
  case noAccountForAPI(String)
  /// Several are, and nothing says which.
  case severalAccounts([String], String)
  /// The account that was named is meant for other addresses.
  case otherDestination(account: String, String)
  /// Without a proof, which the program cannot make, the token is worth nothing.
  case boundToken
  /// The program wants to know who signed in, and the provider has not said so.
  case noIdentity(account: String)
  /// What the program says is not what its protocol demands.
  case malformed(caller: String)
  /// The program does not say which cluster it wants a token for, and nobody has said whose token it is.
  case unknownCluster
  /// Somebody signs in, or a token is refreshed, for longer than the program waits.
  case goesOn(String)
  /// Something that cannot be done with a token.
  case notHere(caller: String, String)

  package var concernsOthers: Bool { false }

  /// Whether the program may ask somebody else.
  package var isOfNoAccount: Bool {
    switch self {
    case .noAccount, .noAccountForAPI, .otherDestination: true
    default: false
    }
  }
}

extension Failure {
  /// A program gets no token.
  package static func helper(_ fault: HelperFault) -> Failure { .application(fault) }
}

extension HelperFault: Reportable {
  var verdict: Verdict {
    switch self {
    case .unknownHelper, .malformed, .notHere: .invalidOption
    case .noAccount, .noAccountForAPI, .otherDestination: .originNotAllowed
    case .goesOn: .alreadyInProgress
    case .severalAccounts, .boundToken, .unknownCluster, .noIdentity: .invalidConfiguration
    }
  }

  private static func quoted(_ names: [String]) -> Sentence {
    names.map { Sentence(verbatim: "\"\($0.forDisplay(limit: 64))\"") }.list
  }

  /// What can be said of an address in which there may be a secret.
  private static func shown(_ address: String) -> String { Redaction.address(address).forDisplay(limit: 200) }

  var saying: Saying {
    switch self {
    case .unknownHelper(let name, let nearest):
      Saying(
        "there is no helper \"\(name.forDisplay(limit: 60))\"",
        hint: nearest.map(didYouMean) ?? "`tokentry helper` lists them")
    case .goesOn(let address):
      Saying(
        "a token for \(Self.shown(address)) takes longer than this program may wait",
        hint: "sign in where a window or a browser asks for it: the next call has the token")
    case .noAccount(let address):
      Saying(
        "no account is meant for \(Self.shown(address))",
        hint: "`tokentry login --account NAME --for ORIGIN` says for which servers an account is")
    case .noAccountForAPI(let address):
      Saying(
        "no account is meant for \(Self.shown(address))",
        hint: "`tokentry login --resource URL` signs in to an API")
    case .severalAccounts(let names, let address):
      Saying(
        "several accounts are meant for \(Self.shown(address)): \(Self.quoted(names))",
        hint: "name one with --account, or as the user where the program asks for one")
    case .otherDestination(let account, let address):
      Saying(
        "the account \"\(account.forDisplay(limit: 64))\" is not meant for \(Self.shown(address))",
        hint: "`tokentry login --account NAME --for ORIGIN` says for which servers an account is")
    case .boundToken:
      Saying(
        "the token is bound to a key, and this program can send no proof of it",
        hint: "keep an account whose token is not bound")
    case .unknownCluster:
      Saying(
        "it is not said which cluster the token is for",
        hint: "set provideClusterInfo: true beside the command, or add --account NAME to its args")
    case .noIdentity(let account):
      Saying(
        "the account \"\(account.forDisplay(limit: 64))\" has no id_token",
        hint: "sign in to it again with openid in --scope; kubernetes takes --access-token as well"
      )
    case .malformed(let caller): "what \(caller) says cannot be read"
    case .notHere(let caller, let what):
      "\(caller): \(what.forDisplay(limit: 60)) is not possible here: accounts are made with `tokentry login`"
    }
  }
}
