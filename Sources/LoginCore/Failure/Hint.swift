extension Failure {
  /// The next step after a failure.
  ///
  /// Most hints are a ``text(_:)`` that is true for everybody. The others are steps that each program words for its users:
  /// `tokentry` names its options, LoginKit its properties. Later versions may add cases.
  package enum Hint: Sendable, Equatable {
    /// A sentence: lower case, without a full stop.
    case text(Message)

    // The provider.
    /// List the presets.
    case listProviders
    /// Say where this endpoint is.
    case addEndpoint(EndpointName)
    /// Correct the address of this endpoint.
    case checkEndpoint(EndpointName)
    /// Name the issuer, which publishes its keys.
    case addIssuer
    /// Give this variable of the preset a value.
    case setVariable(String, meaning: String)

    // The client.
    /// Name the client.
    case nameClient
    /// Name the client, or the endpoint that registers one.
    case nameClientOrRegistration
    /// Create a client at the provider, as the message says, and name it.
    case createClient(Message)
    /// Register a client.
    case registerClient
    /// Give the client its secret, without which it cannot do this.
    case giveSecret
    /// Name the client that the provider knows the key of.
    case nameClientOfKey
    /// Give the client its secret, if the provider gave it one.
    case giveSecretIfAny
    case checkSecret

    /// Check that the client and its redirect URI are registered like this.
    case checkClient
    /// Register exactly this redirect URI, or use the registered one.
    case registerRedirectURI
    /// Answer the form of the page, in a test. The fields and buttons are written NAME=VALUE.
    case answerForm(fields: [String], buttons: [String])

    // The way to the user.
    /// Name the endpoint for sign-in on another device, if the provider offers that.
    case addDeviceEndpointIfOffered
    /// Take the browser, from which the user can paste the code.
    case pasteFromBrowser
    /// Ask for a code in place of a token, or take the window.
    case askForCodeOrUseWindow
    /// Register the scheme of the redirect URI, or take the window.
    case registerSchemeOrUseWindow
    /// Take the window, which needs no state.
    case useWindowWithoutState
    /// Name a command that opens the page.
    case nameBrowser
    /// Name a command that opens the page, or do without a user in tests.
    case nameBrowserOrTest
    /// Look at the command that opens pages.
    case checkBrowser
    /// Install the window's program, or say where it is.
    case installWindow
    /// Name a display, or do without a user in tests.
    case nameDisplayOrTest

    // The user.
    /// Name the user whose password it is.
    case nameUser
    /// Give the user's password.
    case givePassword
    /// Give the token to exchange.
    case giveToken
    /// Use the code grant, or no particular way to the user.
    case useCodeGrant

    // APIs and their servers.
    /// Allow this server to have the token, if it is meant for it.
    case allowOrigin(String)
    /// Name the server that may have the secret.
    case nameServerOfSecret
    /// Sign in for the API.
    case signInToAPI
    /// Name the authorization server of the API.
    case nameServer
    /// Name the authorization server of the API, if you trust it.
    case nameServerIfTrusted
    /// Name this issuer yourself, if you trust it although its endpoints are elsewhere.
    case nameIssuerIfTrusted(String)
    /// Keep the key of a bound token together with the token.
    case keepProofKey

    // The connection.
    /// Trust one certificate for this host. If only its date is wrong, look at the clock first.
    case trustCertificate(host: String, isOfWrongDate: Bool)
    /// Give this host a client certificate.
    case offerCertificate(host: String)

    // Accounts and clients that are kept.
    /// Sign in to this account now.
    case signInNow(account: String)
    /// Sign in to this account again.
    case signInAgain(account: String)
    /// List the accounts.
    case listAccounts
    /// Forget an account that cannot be read.
    case forgetUnreadableAccount
    /// Forget a client that cannot be read.
    case forgetUnreadableClient
    /// Forget the account although the provider has not ended it.
    case forgetAccountAnyway
    /// Forget the client although the provider has not deleted it.
    case forgetClientAnyway

    // The store.
    /// Unlock the keyring, or keep accounts elsewhere.
    case unlockKeyring
    /// Save an account while the user may be asked, which creates the keyring.
    case createKeyring
    /// Keep accounts in a folder.
    case keepInFolder
    /// Use a folder that you can write to.
    case useOwnFolder
  }
}

extension Failure.Hint: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self = .text(Message(stringLiteral: text)) }

  package init(stringInterpolation: Message.StringInterpolation) {
    self = .text(Message(stringInterpolation: stringInterpolation))
  }
}

extension Failure.Hint {
  /// The sentence that is true for everybody, or nil for a step that each program words itself.
  package var text: Message? { if case .text(let message) = self { message } else { nil } }

  /// The hint about a name that is almost right.
  package static func didYouMean(_ name: String) -> Failure.Hint { "did you mean \(name)?" }
}
