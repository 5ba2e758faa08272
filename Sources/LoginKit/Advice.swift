import Language
import LoginCore
import Platform

extension Failure {
  /// The sentence for people, in the user's language, with the next step if it is one that they can take.
  public var text: String { (hint?.text).map { "\(message.text) (\($0.text))" } ?? message.text }

  /// The same as ``text``, in place of the sentence that Foundation makes for an error it does not know. Where only `any Error` is
  /// known, Foundation asks for its own protocol: `extension Failure: @retroactive LocalizedError { public var errorDescription:
  /// String? { text } }`.
  public var localizedDescription: String { text }

  /// The next step for the application, if there is one that helps: in English, since it names the members of this
  /// library.
  public var advice: String? {
    switch hint {
    case nil: nil
    case .text(let message)?: message.description

    case .addEndpoint(.authorization)?:
      "set login.provider.issuer or login.provider.endpoints[.authorization]"
    case .addEndpoint(let name)?:
      "set login.provider.endpoints[.\(name)], or login.provider.issuer if the provider publishes its metadata"
    case .checkEndpoint(let name)?: "is login.provider.endpoints[.\(name)] right?"
    case .listProviders?: nil
    case .addIssuer?: "set login.provider.issuer"
    case .setVariable(let name, let meaning)?:
      "give the preset's variable \(name) a value (\(meaning.forDisplay(limit: 100)))"

    case .nameClient?: Self.clientID
    case .nameClientOrRegistration?: "\(Self.clientID), or set login.provider.endpoints[.registration]"
    case .createClient(let creation)?: "\(creation.description), and set login.clientID"
    case .registerClient?: "signIn() registers one if login.clientID is empty"
    case .giveSecret?: "set login.clientSecret"
    case .nameClientOfKey?: "set login.clientID"
    case .checkSecret?: "check login.clientID and login.clientSecret"
    case .giveSecretIfAny?: "if the provider gave your application a secret, set login.clientSecret"

    case .checkClient?: "check that login.clientID and login.redirectURI are as registered with the provider"
    case .registerRedirectURI?:
      "register exactly this redirect URI with the provider, or set login.redirectURI to the registered one"

    case .answerForm(let fields, let buttons)?:
      "way = .headless(form:) answers the page with \((fields + buttons).joined(separator: ", "))"

    case .addDeviceEndpointIfOffered?: "if it does, set login.provider.endpoints[.deviceAuthorization]"
    case .pasteFromBrowser?: "way = .browser lets the user paste it"
    case .askForCodeOrUseWindow?: "set login.responseType = .code, or way = .window"
    case .registerSchemeOrUseWindow?: "set way = .window"
    case .useWindowWithoutState?: "set way = .window, which works without a state"
    case .nameBrowser?, .checkBrowser?: "set the variable BROWSER to a command that opens the page"
    case .installWindow?:
      "install tokentry-window, or set windowProgram or the variable TOKENTRY_WINDOW to its path"
    case .nameBrowserOrTest?:
      "set the variable BROWSER to a command that opens the page, or way = .headless(form:) in tests"
    case .nameDisplayOrTest?:
      "a window needs DISPLAY or WAYLAND_DISPLAY; tests can use way = .headless(form:)"

    case .nameUser?, .givePassword?: "signIn(user:password:) signs in with a password"
    case .giveToken?: nil
    case .useCodeGrant?: "set login.grant = .code, or leave way out"

    case .allowOrigin(let origin)?:
      "if the token is meant for that server, add \"\(origin)\" to allowedOrigins"
    case .nameServerOfSecret?: "create the client with the issuer of that server"
    case .signInToAPI?: "use an account for that API"
    case .nameServer?, .nameServerIfTrusted?:
      "if you know and trust that server, create the client with its issuer"
    case .nameIssuerIfTrusted(let issuer)?:
      "if you trust that server all the same, create the client with the issuer \(issuer)"
    case .keepProofKey?: "keep the whole token, with its proofKey"

    case .trustCertificate(_, isOfWrongDate: true)?:
      "is this computer's clock right? It says \(SystemClock().now().day)"
    case .trustCertificate?, .offerCertificate?: nil

    case .signInNow(let account)?: "signIn(account: \"\(account)\") signs in now"
    case .signInAgain(let account)?: "signIn(account: \"\(account)\") signs in again"
    case .listAccounts?: "store.list() returns the saved accounts"
    case .forgetUnreadableAccount?: "forget(account:) removes it, so that the user can sign in again"
    case .forgetUnreadableClient?: "store.deleteClient(at:) removes it"
    case .forgetAccountAnyway?: "forget(account:) forgets it here anyway"
    case .forgetClientAnyway?: "store.deleteClient(at:) forgets it here anyway"

    case .unlockKeyring?: "unlock it, or keep accounts elsewhere with store = .folder(path)"
    case .createKeyring?:
      "a store of .keyring creates it, or store = .folder(path) keeps accounts in a folder"
    case .keepInFolder?: "store = .folder(path) keeps accounts in a folder"
    case .useOwnFolder?: "give .folder(path) a folder that you can write to"
    }
  }

  private static let clientID = "set login.clientID, which the provider gave your application"
}
