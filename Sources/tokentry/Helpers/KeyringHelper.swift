import LoginCore
import SignIn

/// The command line of Python's keyring, as pip and uv run it, and the backend in data/keyring for other programs. All ask
/// for several spellings of an address and print every message, so a missing password is reported silently.
struct KeyringHelper: HelperProtocol {
  static let name = "keyring"
  static let link: String? = "keyring"
  static let callers = "pip, uv, twine, poetry"
  static let setUp = [
    "FOLDER=$(dirname $(command -v tokentry))/../libexec/tokentry/keyring",
    "PATH=$FOLDER:$PATH pip install --keyring-provider subprocess PACKAGE",
    "pip install /usr/share/tokentry/keyring   for twine, poetry and other programs with Python's keyring",
  ]
  static let hasArgumentsOfItsOwn = true

  private let broker: TokenBroker
  private let service: String
  private let user: String?
  private let showsUser: Bool
  private let isJSON: Bool

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    let (words, flags) = try broker.words(taking: ["--mode", "--output"])
    let (mode, output) = (flags["--mode"]?.last ?? "password", flags["--output"]?.last ?? "plain")
    guard let verb = words.first else { throw broker.malformed }
    // Passwords of other programs do not belong into our store.
    if ["set", "del"].contains(verb) { throw .unsupported(verb, by: Self.name) }
    guard verb == "get", (2...3).contains(words.count), ["password", "creds"].contains(mode),
      ["plain", "json"].contains(output)
    else { throw broker.malformed }
    (service, user) = (words[1], words.count > 2 ? words[2] : nil)
    (showsUser, isJSON) = (mode == "creds", output == "json")
    guard user != nil || showsUser else { throw broker.malformed }
  }

  static func user(of account: Account) -> String? {
    let profile = account.login.provider.profile
    return profile.registryUser ?? profile.gitUser
  }

  static func refusal(of failure: Failure) -> Refusal {
    if failure.isOfOtherServer { Refusal(output: { _ in "" }, isSaid: false, status: 1) } else { .silent }
  }

  func text() async throws(Failure) -> String {
    // pip passes the whole address first, and then only the host.
    let granted = try await broker.token(atServer: service, user: user)
    let password = try granted.sendableToken().revealed()
    let name = user ?? granted.user ?? ""
    if isJSON {
      let object: JSONObject = ["username": showsUser ? .string(name) : nil, "password": .string(password)]
      return object.text + "\n"
    }
    guard !name.unicodeScalars.contains(where: \.isControl) else { throw broker.malformed }
    return (showsUser ? "\(name)\n" : "") + "\(password)\n"
  }
}
