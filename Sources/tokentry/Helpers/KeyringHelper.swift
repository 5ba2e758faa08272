import LoginCore
import Wording

/// The command line of Python's keyring, as pip and uv run it. Where it has no password it says nothing at all: both
/// print what they hear, and ask for other spellings of an address one after the other.
struct KeyringHelper: HelperProtocol {
  static let name = "keyring"
  static let link: String? = "keyring"
  static let callers = "pip, uv"
  static let setUp = [
    "mkdir -p ~/.local/lib/tokentry && ln -s $(command -v tokentry) ~/.local/lib/tokentry/keyring",
    "PATH=~/.local/lib/tokentry:$PATH pip install --keyring-provider subprocess PACKAGE",
  ]
  static let hasArgumentsOfItsOwn = true

  private let desk: TokenBroker
  private let service: String
  private let user: String?
  private let showsUser: Bool
  private let isJSON: Bool

  init(_ desk: TokenBroker) throws(Failure) {
    self.desk = desk
    var (words, operands) = (desk.arguments[...], [String]())
    var values = ["--mode": "password", "--output": "plain"]
    while let word = words.popFirst() {
      let (flag, attached) = word.splitOnce(at: "=")
      if values[flag] != nil {
        guard let value = attached ?? words.popFirst() else { throw desk.malformed }
        values[flag] = value
      } else {
        operands.append(word)
      }
    }
    guard let verb = operands.first, !operands.contains(where: { $0.hasPrefix("-") }) else {
      throw desk.malformed
    }
    // What others keep there is none of ours.
    if ["set", "del"].contains(verb) { throw .helper(.notHere(caller: Self.name, verb)) }
    guard verb == "get", (2...3).contains(operands.count), ["password", "creds"].contains(values["--mode"]),
      ["plain", "json"].contains(values["--output"])
    else { throw desk.malformed }
    (service, user) = (operands[1], operands.count > 2 ? operands[2] : nil)
    (showsUser, isJSON) = (values["--mode"] == "creds", values["--output"] == "json")
    guard user != nil || showsUser else { throw desk.malformed }
  }

  static func refusal(of failure: Failure) -> Refusal {
    if failure.isOfOtherServer { Refusal(output: { _ in "" }, isSaid: false, status: 1) } else { .silent }
  }

  func text() async throws(Failure) -> String {
    // pip asks for the whole address, and then for the host alone.
    let account = try await desk.account(atServer: service, user: user)
    let password = try account.sendableToken().revealed()
    let provider = account.login.provider
    let name = user ?? provider.registryUser ?? provider.gitUser
    if isJSON {
      let object: JSONObject = ["username": showsUser ? .string(name) : nil, "password": .string(password)]
      return object.text + "\n"
    }
    guard !name.unicodeScalars.contains(where: \.isControl) else { throw desk.malformed }
    return (showsUser ? "\(name)\n" : "") + "\(password)\n"
  }
}
