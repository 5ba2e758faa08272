import LoginCore
import Platform

/// The part of the Databricks CLI that Databricks' libraries run (databricks-sdk, `credentials_provider.py`).
///
/// They follow a link to its end and run what is there, so they start `tokentry` itself, with the arguments that are
/// meant for the CLI.
struct DatabricksHelper: HelperProtocol {
  static let name = "databricks"
  static let link: String? = "databricks"
  static let callers = "Databricks' libraries, dbt, MLflow"
  static let setUp = [
    "export DATABRICKS_CLI_PATH=$(command -v tokentry)",
    "PATH=$(dirname $DATABRICKS_CLI_PATH)/../libexec/tokentry/databricks:$PATH   for programs that ignore this",
  ]
  static let hasArgumentsOfItsOwn = true

  /// The libraries search the error for the beginning of this text, and then try other credentials.
  private static let notConfigured = "databricks OAuth is not configured for this host"
  /// The first version with all the flags that are understood here. The libraries ask for it with `version --output json`,
  /// which is also a question about this program.
  static let version: JSONObject = ["Version": "0.296.0", "Major": 0, "Minor": 296, "Patch": 0]

  private let broker: TokenBroker
  private let question: Question

  private enum Question {
    case version
    case token(host: String, account: String?)
    case profile(String)
  }

  /// True if these are arguments for the CLI and not for this program.
  static func isMeant(by arguments: [String]) -> Bool {
    arguments.starts(with: ["auth", "token"])
  }

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    // A kept token is refreshed in time, and need not be replaced before.
    let (words, flags) = try broker.words(
      taking: ["--host", "--profile", "-p", "--account-id", "--output", "-o"], "--force-refresh")
    let profile = (flags["--profile"] ?? flags["-p"])?.last
    switch (words, profile, flags["--host"]?.last) {
    case (["version"], _, _): question = .version
    case (["auth", "token"], let name?, nil): question = .profile(name)
    case (["auth", "token"], let name, let host?):
      question = .token(host: host, account: name ?? flags["--account-id"]?.last)
    case (["auth", "token"], nil, nil): throw broker.malformed
    default: throw .unsupported(words.prefix(3).joined(separator: " "), by: Self.name)
    }
  }

  func text() async throws(Failure) -> String {
    switch question {
    case .version: return Version.text(asJSON: true)
    case .token(let host, let account): return try await token(host, account)
    case .profile(let name): return try await token(try await host(ofProfile: name), name)
    }
  }

  private func token(_ host: String, _ account: String?) async throws(Failure) -> String {
    let wish = broker.wish(TokenWish.Address(server: host), user: account)
    let granted = try await broker.token(wish, or: Self.notConfigured)
    let object: JSONObject = [
      "access_token": .string(try granted.sendableToken().revealed()),
      "token_type": .string(granted.token.scheme), "expiry": .string(broker.end(of: granted)),
    ]
    return object.text + "\n"
  }

  /// Returns the host of a profile in the libraries' own file.
  private func host(ofProfile name: String) async throws(Failure) -> String {
    let variable = "DATABRICKS_CONFIG_FILE"
    let home = broker.shared.environment["HOME"] ?? ""
    let given = broker[variable] ?? "~/.databrickscfg"
    let path = given.hasPrefix("~/") ? home + given.dropFirst() : given
    let bytes = try await InputFile(flag: variable, path: path)
      .readOwn(limit: TokenBroker.maximumInput, othersMayRead: true)
    var isInside = false
    for line in String(decoding: bytes, as: UTF8.self).parts(at: "\n") {
      let line = Self.trimmed(line)
      if line.hasPrefix("["), line.hasSuffix("]") { isInside = line.dropFirst().dropLast() == name }
      let (key, value) = line.splitOnce(at: "=")
      if isInside, Self.trimmed(key) == "host", let value { return Self.trimmed(value) }
    }
    throw Failure(.invalidConfiguration, "\(path) has no profile \"\(name, upTo: 60)\" with a host")
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
