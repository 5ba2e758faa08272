import LoginCore

/// The part of the Azure Developer CLI that Azure's libraries run (azure-identity, `azd_cli.py`). The resource that a
/// token is for is in its scope, so the account is one that was made for this server.
struct AzureHelper: HelperProtocol {
  static let name = "azd"
  static let link: String? = "azd"
  static let callers = "Azure's libraries, azcopy, Terraform's azurerm"
  static let setUp = [
    "FOLDER=$(dirname $(command -v tokentry))/../libexec/tokentry/azd",
    "PATH=$FOLDER:$PATH PROGRAM   with AzureDeveloperCliCredential or DefaultAzureCredential",
  ]
  static let hasArgumentsOfItsOwn = true

  /// The libraries search the error for this text, and then try other credentials.
  private static let notLoggedIn = "not logged in, run `azd auth login` to login"
  /// The libraries search the error for this text if an API demands another sign-in, and then say so.
  private static let noClaims = "unknown flag: --claims"

  private let broker: TokenBroker
  private let resource: String
  private let tenant: String?

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    let (words, flags) = try broker.words(
      taking: ["--output", "-o", "--scope", "--tenant-id", "--claims"], "--no-prompt")
    guard words == ["auth", "token"] else {
      throw .unsupported(words.prefix(3).joined(separator: " "), by: Self.name)
    }
    if flags["--claims"] != nil { throw Failure(.invalidOption, Message(verbatim: Self.noClaims)) }
    let resources = Set((flags["--scope"] ?? []).map(Self.resource))
    guard let resource = resources.first, resources.count == 1,
      (flags["--output"] ?? flags["-o"])?.last == "json"
    else { throw broker.malformed }
    (self.resource, tenant) = (resource, flags["--tenant-id"]?.last)
  }

  /// Returns the address before the name of the permission, as in `https://vault.azure.net/.default`.
  private static func resource(of scope: String) -> String {
    guard let start = scope.startOfAuthority, let slash = scope[start...].lastIndex(of: "/") else {
      return scope
    }
    return String(scope[..<slash])
  }

  func text() async throws(Failure) -> String {
    let wish = broker.wish(TokenWish.Address(url: resource), user: tenant)
    let granted = try await broker.token(wish, or: Self.notLoggedIn)
    let object: JSONObject = [
      "token": .string(try granted.sendableToken().revealed()),
      "expiresOn": .string(broker.end(of: granted)),
    ]
    return object.text + "\n"
  }
}
