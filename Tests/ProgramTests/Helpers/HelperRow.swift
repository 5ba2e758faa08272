import Foundation
import Testing

/// A helper as its program runs it, and the expected answers.
struct HelperRow: Sendable, CustomTestStringConvertible {
  /// A question of the program.
  struct Question: Sendable {
    var arguments: [String] = []
    var input = ""
    var environment: [String: String] = [:]
  }

  /// An answer without a token: in the program's own protocol, or on standard error.
  struct Refusal: Sendable {
    let status: Int32
    /// Standard output.
    let output: String
    /// True if there is a message on standard error.
    var isSaid = true
  }

  let name: String
  /// The question for a token at an address.
  let question: @Sendable (String) -> Question
  /// A part of the answer with a token.
  let answer: @Sendable (String) -> String
  let otherHost: Refusal
  /// False if the program itself never asks for an address with plain http.
  var asksHTTP = true
  let needsLogin: Refusal
  /// The answer if several accounts fit. It names the accounts.
  let several: (status: Int32, isOnOutput: Bool)
  /// Questions that are not part of the protocol, and the answer to them.
  let malformed: [Question]
  let refusal: Refusal
  /// A question with very long input, and the status of the answer.
  let oversized: (question: Question, status: Int32)
  /// The answer while the keyring is locked.
  let locked: Refusal
  /// True if the program tries again when an answer takes too long.
  var comesAgain = false

  var testDescription: String { name }
}

/// The helpers that hand out tokens.
extension HelperRow {
  private static let hello = "{\"v\":[1]}\n"

  static let all = [
    git, docker, cargo, bazel, terraform, kubernetes, keyring, google, headers, go, azd, databricks,
  ]

  private static let silence = Refusal(status: 0, output: "", isSaid: false)
  private static let loginRequired = Refusal(status: 8, output: "")
  private static let invalid = Refusal(status: 2, output: "")
  private static let locked = Refusal(status: 9, output: "")
  /// The answer of programs that read errors from standard output.
  private static let lockedText = "the keyring is locked"
  /// More input than any program sends.
  private static let flood = String(repeating: "x", count: 300_000)
  /// The same for an argument, which takes no more than 128 KiB.
  private static let word = String(flood.prefix(120_000))

  private static let git = HelperRow(
    name: "git",
    question: { address in
      let parts = address.components(separatedBy: "://")
      return Question(
        arguments: ["get"], input: "protocol=\(parts[0])\nhost=\(parts[1])\n\n",
        environment: ["GIT_TERMINAL_PROMPT": "0"])
    }, answer: { "username=x-token\npassword=\($0)\npassword_expiry_utc=" }, otherHost: silence,
    needsLogin: loginRequired, several: (2, false),
    malformed: [
      Question(arguments: ["get"], input: "host\n"), Question(arguments: ["get"], input: flood), Question(),
      Question(arguments: ["get", "get"]),
    ], refusal: invalid,
    oversized: (Question(arguments: ["get"], input: "protocol=https\nhost=\(word)\n\n"), 0), locked: locked)

  private static let docker = HelperRow(
    name: "docker", question: { Question(arguments: ["get"], input: $0) },
    answer: { #""Username":"<token>","Secret":"\#($0)"}"# + "\n" },
    otherHost: Refusal(
      status: 1, output: "credentials not found in native keychain\n", isSaid: false),
    needsLogin: Refusal(
      status: 8, output: "the account work needs a new sign-in, but the user may not be asked\n",
      isSaid: false), several: (2, true),
    malformed: [
      Question(arguments: ["get"], input: "https://h.example\nhttps://h.example"),
      Question(arguments: ["get"], input: flood), Question(), Question(arguments: ["teleport"]),
    ], refusal: Refusal(status: 2, output: "the request from docker cannot be read\n", isSaid: false),
    oversized: (Question(arguments: ["get"], input: "https://\(word)"), 1),
    locked: Refusal(status: 9, output: lockedText + "\n", isSaid: false))

  private static let cargo = HelperRow(
    name: "cargo",
    question: { address in
      Question(
        input: #"{"v":1,"registry":{"index-url":"sparse+\#(address)/index/","headers":[]},"#
          + #""kind":"get","operation":"read","args":[]}"# + "\n")
    }, answer: { #"{"Ok":{"kind":"get","token":"Bearer \#($0)","cache":"expires","expiration":"# },
    otherHost: Refusal(
      status: 0, output: hello + #"{"Err":{"kind":"url-not-supported"}}"# + "\n", isSaid: false),
    needsLogin: Refusal(status: 0, output: hello + #"{"Err":{"kind":"not-found"}}"# + "\n", isSaid: false),
    several: (0, true),
    malformed: [
      Question(input: "?\n"), Question(input: flood + "\n"),
      Question(
        input: #"{"v":2,"registry":{"index-url":"sparse+https://h.example/index/","headers":[]},"#
          + #""kind":"get","operation":"read","args":[]}"# + "\n"),
      Question(input: #"{"v":1,"v":1,"kind":"get"}"# + "\n"),
    ],
    refusal: Refusal(
      status: 0,
      output: hello + #"{"Err":{"kind":"other","message":"the request from cargo cannot be read"}}"# + "\n",
      isSaid: false),
    oversized: (
      Question(
        input: #"{"v":1,"registry":{"index-url":"https://\#(word)/"},"kind":"get","args":[]}"# + "\n"), 0
    ),
    locked: Refusal(
      status: 0, output: hello + #"{"Err":{"kind":"other","message":"\#(lockedText)"}}"# + "\n",
      isSaid: false))

  private static let bazel = HelperRow(
    name: "bazel", question: { Question(arguments: ["get"], input: #"{"uri":"\#($0)/a"}"#) },
    answer: { #"{"headers":{"Authorization":["Bearer \#($0)"]},"expires":"2"# }, otherHost: invalid,
    needsLogin: loginRequired, several: (2, false),
    malformed: [
      Question(arguments: ["get"], input: "?"),
      Question(arguments: ["get"], input: #"{"url":"https://h.example"}"#),
      Question(arguments: ["get"], input: flood), Question(), Question(arguments: ["teleport"]),
    ], refusal: invalid,
    oversized: (Question(arguments: ["get"], input: #"{"uri":"https://\#(word)/"}"#), 2), locked: locked)

  private static let terraform = HelperRow(
    name: "terraform", question: { Question(arguments: ["get", $0.components(separatedBy: "://")[1]]) },
    answer: { #"{"token":"\#($0)"}"# + "\n" }, otherHost: Refusal(status: 0, output: "{}\n", isSaid: false),
    asksHTTP: false, needsLogin: loginRequired, several: (2, false),
    malformed: [
      Question(), Question(arguments: ["get"]), Question(arguments: ["store", "h.example"]),
      Question(arguments: ["forget", "h.example"]), Question(arguments: ["get", "https://h.example"]),
      Question(arguments: ["get", "h.example/x"]),
    ], refusal: invalid,
    oversized: (Question(arguments: ["get", word]), 0), locked: locked)

  private static let kubernetes = HelperRow(
    name: "kubernetes",
    question: { address in
      Question(
        arguments: ["--access-token"],
        environment: [
          "KUBERNETES_EXEC_INFO": #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","#
            + #""spec":{"interactive":false,"cluster":{"server":"\#(address)"}}}"#
        ])
    },
    answer: { #"Z","token":"\#($0)"}}"# + "\n" }, otherHost: invalid, needsLogin: loginRequired,
    several: (2, false),
    malformed: [
      Question(), Question(environment: ["KUBERNETES_EXEC_INFO": "?"]),
      Question(environment: ["KUBERNETES_EXEC_INFO": String(flood.prefix(120_000))]),
      Question(
        environment: [
          "KUBERNETES_EXEC_INFO":
            #"{"apiVersion":"client.authentication.k8s.io/v2","kind":"ExecCredential","#
            + #""spec":{"cluster":{"server":"https://h.example"}}}"#
        ]),
    ], refusal: invalid,
    oversized: (
      Question(
        environment: [
          "KUBERNETES_EXEC_INFO":
            #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","#
            + #""spec":{"cluster":{"server":"https://\#(word)"}}}"#
        ]), 2
    ), locked: locked)

  private static let keyring = HelperRow(
    name: "keyring", question: { Question(arguments: ["get", $0 + "/simple/", "ann"]) },
    answer: { "\($0)\n" }, otherHost: Refusal(status: 1, output: "", isSaid: false),
    needsLogin: loginRequired, several: (2, false),
    malformed: [
      Question(), Question(arguments: ["get"]), Question(arguments: ["get", "https://h.example"]),
      Question(arguments: ["set", "https://h.example", "ann"]),
      Question(arguments: ["diagnose"]),
      Question(arguments: ["--mode", "creds", "get", "https://h.example/simple/", "ann\nb"]),
      Question(arguments: ["--teleport", "get", "https://h.example", "ann"]),
    ], refusal: invalid,
    oversized: (Question(arguments: ["get", "https://\(word)/simple/", "ann"]), 1), locked: locked)

  private static let google = HelperRow(
    name: "google",
    question: { address in
      Question(
        environment: [
          "GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE": address.components(separatedBy: ":").dropFirst().joined(
            separator: ":")
            + "/locations/global/workforcePools/p",
          "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE": "urn:ietf:params:oauth:token-type:id_token",
          "GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE": "0",
        ])
    },
    answer: {
      #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:id_token","id_token":"I\#($0)"}"#
        + "\n"
    },
    otherHost: Refusal(
      status: 0,
      output:
        #"{"version":1,"success":false,"code":"origin_not_allowed","message":"no account is set up for "#
        + #"https://other.example/locations/global/workforcePools/p"}"# + "\n", isSaid: false),
    asksHTTP: false,
    needsLogin: Refusal(
      status: 0,
      output:
        #"{"version":1,"success":false,"code":"login_required","message":"the account work needs a "#
        + #"new sign-in, but the user may not be asked"}"# + "\n", isSaid: false), several: (0, true),
    malformed: [
      Question(), Question(environment: ["GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE": "//h.example/a"]),
      Question(
        environment: [
          "GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE": "//h.example/a", "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE": "saml",
        ]),
    ],
    refusal: Refusal(
      status: 0,
      output:
        #"{"version":1,"success":false,"code":"invalid_option","message":"the request from google cannot be read"}"#
        + "\n", isSaid: false),
    oversized: (
      Question(
        environment: [
          "GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE": "//\(word)",
          "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE": "urn:ietf:params:oauth:token-type:id_token",
        ]), 0
    ),
    locked: Refusal(
      status: 0,
      output: #"{"version":1,"success":false,"code":"store_locked","message":"\#(lockedText)"}"# + "\n",
      isSaid: false))

  private static let headers = HelperRow(
    name: "headers", question: { Question(arguments: [$0, "--silent"]) },
    answer: { #"{"Authorization":"Bearer \#($0)"}"# + "\n" }, otherHost: invalid, needsLogin: loginRequired,
    several: (2, false),
    malformed: [
      Question(), Question(arguments: ["h.example"]), Question(arguments: ["https://h.example", "more"]),
      Question(arguments: ["https://u@h.example/"]), Question(arguments: ["https://h.example/#f"]),
      Question(arguments: ["https://h.example/a/../mcp"]),
    ], refusal: invalid,
    oversized: (Question(arguments: ["https://h.example/\(word)?", "--silent"]), 0), locked: locked,
    comesAgain: true)

  private static let go = HelperRow(
    name: "go", question: { Question(arguments: [$0 + "/example.com/mod/@v/list"]) },
    answer: { "\n\nAuthorization: Bearer \($0)\n\n" }, otherHost: silence, needsLogin: loginRequired,
    several: (2, false), malformed: [Question(arguments: ["https://h.example", "https://h.example"])],
    refusal: invalid, oversized: (Question(arguments: ["https://\(word)/"]), 0), locked: locked)

  private static let azd = HelperRow(
    name: "azd",
    question: { address in
      Question(
        arguments: ["auth", "token", "--output", "json", "--no-prompt", "--scope", address + "/.default"])
    }, answer: { #"{"token":"\#($0)","expiresOn":"2"# }, otherHost: invalid, needsLogin: loginRequired,
    several: (2, false),
    malformed: [
      Question(), Question(arguments: ["auth", "login"]),
      Question(arguments: ["auth", "token", "--no-prompt", "--scope", "https://h.example/.default"]),
      Question(arguments: ["auth", "token", "--output", "json"]),
      Question(
        arguments: [
          "auth", "token", "--output", "json", "--scope", "https://h.example/a", "--scope",
          "https://i.example/a",
        ]),
      Question(
        arguments: [
          "auth", "token", "--output", "json", "--scope", "https://h.example/.default", "--claims", "e30=",
        ]),
    ], refusal: invalid,
    oversized: (
      Question(arguments: ["auth", "token", "--output", "json", "--scope", "https://\(word)/.default"]), 2
    ), locked: locked)

  private static let databricks = HelperRow(
    name: "databricks",
    question: { Question(arguments: ["auth", "token", "--host", $0, "--force-refresh"]) },
    answer: { #"{"access_token":"\#($0)","token_type":"Bearer","expiry":"2"# }, otherHost: invalid,
    needsLogin: loginRequired, several: (2, false),
    malformed: [
      Question(), Question(arguments: ["auth", "token"]), Question(arguments: ["auth", "login"]),
      Question(arguments: ["auth", "token", "--host"]), Question(arguments: ["auth", "token", "--teleport"]),
      Question(
        arguments: ["auth", "token", "--profile", "none"],
        environment: ["DATABRICKS_CONFIG_FILE": "/dev/null"]),
    ], refusal: invalid,
    oversized: (Question(arguments: ["auth", "token", "--host", "https://\(word)/"]), 2), locked: locked)
}
