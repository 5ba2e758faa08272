import Language
import LoginCore
import Platform

extension Failure.Hint {
  /// The hint for a person at a command line. nil if only what the caller has given can tell: see
  /// ``LoginCore/Failure/withHint(for:_:)``.
  var words: Message? {
    switch self {
    case .text(let message): message

    case .addEndpoint(.authorization): "give --provider, --issuer or --endpoint authorization=URL"
    case .addEndpoint(let name):
      "add \(name.flag), or --issuer URL if the provider publishes its metadata"
    case .checkEndpoint: nil
    case .listProviders: "`tokentry providers` lists the presets; an account is named with --account"
    case .addIssuer: "add --issuer URL"
    case .setVariable(let name, let meaning): "--var \(name)=VALUE (\(meaning.forDisplay(limit: 100)))"

    case .nameClient: Self.clientID
    case .nameClientOrRegistration: "\(Self.clientID), or --endpoint registration=URL"
    case .createClient(let creation): "\(creation), and add --client-id ID"
    case .registerClient: "`tokentry login` registers one"
    case .giveSecret: "give it a secret with --client-secret-file or TOKENTRY_CLIENT_SECRET"
    case .nameClientOfKey: "add its identifier with --client-id"
    case .checkSecret:
      "check that the client's identifier and secret are those that the provider gave your application, and that the secret has not been replaced there"
    case .giveSecretIfAny:
      """
      if the provider gave your application a secret, sign in with --client-secret-file FILE or \
      TOKENTRY_CLIENT_SECRET
      """

    case .checkClient:
      "check that --client-id and the redirect URI are as registered with the provider; `tokentry explain` shows them"
    case .registerRedirectURI:
      "register exactly this redirect URI with the provider, or give the registered one with --redirect-uri"

    case .answerForm(let fields, let buttons):
      [
        fields.isEmpty ? nil : "fill in its form with \(fields.map(Self.form).joined(separator: " "))",
        buttons.isEmpty ? nil : "press its button with \(buttons.map(Self.form).verbatim.alternatives)",
      ].compactMap(\.self).conjunction

    case .addDeviceEndpointIfOffered: "if it does, add --endpoint device_authorization=URL"
    case .pasteFromBrowser: "--way browser lets you paste it"
    case .askForCodeOrUseWindow: "use --grant code, or --way window"
    case .registerSchemeOrUseWindow: "add --register-scheme, or use --way window"
    case .useWindowWithoutState: "use --way window, which works without a state"
    case .nameBrowser: "use --browser COMMAND to open the page"
    case .nameBrowserOrTest: "use --browser COMMAND to open the page, or --headless-test in tests"
    case .installWindow: nil
    case .checkBrowser: "see BROWSER and --browser"
    case .nameDisplayOrTest: "a window needs DISPLAY or WAYLAND_DISPLAY; tests can use --headless-test"

    case .nameUser: "add --login-hint USER"
    case .givePassword: "give it with TOKENTRY_PASSWORD or --options"
    case .giveToken: "give the output of login or token with --token-file"
    case .useCodeGrant: "add --grant code, or leave --way out"

    case .allowOrigin(let origin): "if the token is meant for that server, add --allow-origin \(origin)"
    case .nameServerOfSecret: "name that server with --issuer URL"
    case .signInToAPI: "`tokentry login --resource URL` signs in to an API"
    case .nameServer:
      "if you know that server, name it with --issuer URL or --provider NAME beside --resource"
    case .nameServerIfTrusted: "if you trust that server, name it with --issuer URL"
    case .nameIssuerIfTrusted(let issuer):
      "if you trust that server all the same, name it yourself with --issuer \(issuer, upTo: 200)"
    case .keepProofKey: "keep the dpop_jwk that login prints with the token"

    case .trustCertificate(let host, isOfWrongDate: false):
      "--trust \(host)=CERT.pem trusts one certificate for this host"
    case .trustCertificate(let host, isOfWrongDate: true):
      "is this computer's clock right? It says \(SystemClock().now().day). If it is, --trust \(host)=CERT.pem trusts one certificate for this host"
    case .offerCertificate(let host):
      "--client-certificate \(host)=FILE offers it a certificate"

    case .signInNow(let account): "run `tokentry login --account \(account)` to sign in now"
    case .signInAgain(let account): "run `tokentry login --account \(account)` to sign in again"
    case .listAccounts: "`tokentry accounts`, with the same --store if any, lists the saved accounts"
    case .forgetUnreadableAccount:
      "`tokentry logout --account NAME --force` forgets it, so that you can sign in again"
    case .forgetUnreadableClient: "`tokentry logout --issuer URL --force` removes it"
    case .forgetAccountAnyway, .forgetClientAnyway: "use --force to forget it here anyway"

    case .unlockKeyring: "unlock it, or keep accounts elsewhere with --store file:PATH"
    case .createKeyring: "it is created the first time you save an account without --silent"
    case .keepInFolder: .fileStore
    case .useOwnFolder: "give --store file:PATH a folder that you can write to"
    }
  }

  private static func form(_ answer: String) -> String { "--form \(answer.shellWord)" }

  private static let clientID: Message = "add --client-id ID, which the provider gave your application"
}
extension Message {
  /// The alternative to a keyring.
  static let fileStore: Message = "--store file:PATH keeps accounts in a folder"
}
