import LoginCore

/// The command line of Python's keyring, as pip and uv run it, and the backend in data/keyring for other programs. All ask
/// for several spellings of an address and print every message, so a missing password is reported silently.
struct KeyringHelper: HelperProtocol {
  static let name = "keyring"
  static let link: String? = "keyring"
  static let callers = "pip, uv, twine, poetry"
  static let setUp = [
    "mkdir -p ~/.local/lib/tokentry && ln -sf $(command -v tokentry) ~/.local/lib/tokentry/keyring",
    "PATH=~/.local/lib/tokentry:$PATH pip install --keyring-provider subprocess PACKAGE",
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
    var (words, operands) = (broker.arguments[...], [String]())
    var values = ["--mode": "password", "--output": "plain"]
    while let word = words.popFirst() {
      let (flag, attached) = word.splitOnce(at: "=")
      if values[flag] != nil {
        guard let value = attached ?? words.popFirst() else { throw broker.malformed }
        values[flag] = value
      } else {
        operands.append(word)
      }
    }
    guard let verb = operands.first, !operands.contains(where: { $0.hasPrefix("-") }) else {
      throw broker.malformed
    }
    // Passwords of other programs do not belong into our store.
    if ["set", "del"].contains(verb) { throw .unsupported(verb, by: Self.name) }
    guard verb == "get", (2...3).contains(operands.count), ["password", "creds"].contains(values["--mode"]),
      ["plain", "json"].contains(values["--output"])
    else { throw broker.malformed }
    (service, user) = (operands[1], operands.count > 2 ? operands[2] : nil)
    (showsUser, isJSON) = (values["--mode"] == "creds", values["--output"] == "json")
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
