import Foundation
import Testing

/// One helper as its program runs it, and what that program has to hear.
struct HelperRow: Sendable, CustomTestStringConvertible {
  /// What the program says.
  struct Question: Sendable {
    var arguments: [String] = []
    var input = ""
    var environment: [String: String] = [:]
  }

  /// What the program is told where there is no token: in its own words, or on standard error.
  struct Refusal: Sendable {
    let status: Int32
    /// What is on standard output.
    let output: String
    /// Whether a person is told.
    var isSaid = true
  }

  let name: String
  /// How the program asks for a token at an address.
  let question: @Sendable (String) -> Question
  /// What it wants to hear of a token, in part.
  let answer: @Sendable (String) -> String
  let otherHost: Refusal
  let needsLogin: Refusal
  /// What it hears where it is not said whose token it is; the names of the accounts are in there.
  let several: (status: Int32, isOnOutput: Bool)
  /// What nobody can understand, and what the program is told of it.
  let malformed: [Question]
  let refusal: Refusal

  var testDescription: String { name }
}

extension HelperRow {
  private static let hello = "{\"v\":[1]}\n"

  /// All of them.
  static let all = [git, docker, cargo, bazel, terraform, kubernetes, keyring, google]

  private static let silence = Refusal(status: 0, output: "", isSaid: false)
  private static let loginRequired = Refusal(status: 8, output: "")
  private static let invalid = Refusal(status: 2, output: "")
  /// More than any program has to say.
  private static let flood = String(repeating: "x", count: 300_000)

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
    ], refusal: invalid)

  private static let docker = HelperRow(
    name: "docker", question: { Question(arguments: ["get"], input: $0) },
    answer: { #""Username":"<token>","Secret":"\#($0)"}"# + "\n" },
    otherHost: Refusal(
      status: 1, output: "credentials not found in native keychain\n", isSaid: false),
    needsLogin: Refusal(
      status: 8, output: "somebody must sign in to the account work, and nobody may be asked\n",
      isSaid: false), several: (2, true),
    malformed: [
      Question(arguments: ["get"]),
      Question(arguments: ["get"], input: "https://h.example\nhttps://h.example"),
      Question(arguments: ["get"], input: flood), Question(), Question(arguments: ["teleport"]),
    ], refusal: Refusal(status: 2, output: "what docker says cannot be read\n", isSaid: false))

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
      Question(input: "?\n"), Question(input: flood + "\n"), Question(input: #"{"v":2,"kind":"get"}"# + "\n"),
      Question(input: #"{"v":1,"v":1,"kind":"get"}"# + "\n"),
    ],
    refusal: Refusal(
      status: 0,
      output: hello + #"{"Err":{"kind":"other","message":"what cargo says cannot be read"}}"# + "\n",
      isSaid: false))

  private static let bazel = HelperRow(
    name: "bazel", question: { Question(arguments: ["get"], input: #"{"uri":"\#($0)/a"}"#) },
    answer: { #"{"headers":{"Authorization":["Bearer \#($0)"]},"expires":"2"# }, otherHost: invalid,
    needsLogin: loginRequired, several: (2, false),
    malformed: [
      Question(arguments: ["get"], input: "?"),
      Question(arguments: ["get"], input: #"{"url":"https://h.example"}"#),
      Question(arguments: ["get"], input: flood), Question(), Question(arguments: ["teleport"]),
    ], refusal: invalid)

  private static let terraform = HelperRow(
    name: "terraform", question: { Question(arguments: ["get", $0.components(separatedBy: "://")[1]]) },
    answer: { #"{"token":"\#($0)"}"# + "\n" }, otherHost: Refusal(status: 0, output: "{}\n", isSaid: false),
    needsLogin: loginRequired, several: (2, false),
    malformed: [
      Question(), Question(arguments: ["get"]), Question(arguments: ["store", "h.example"]),
      Question(arguments: ["forget", "h.example"]),
    ], refusal: invalid)

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
            #"{"apiVersion":"client.authentication.k8s.io/v2","kind":"ExecCredential","spec":{}}"#
        ]),
    ], refusal: invalid)

  private static let keyring = HelperRow(
    name: "keyring", question: { Question(arguments: ["get", $0 + "/simple/", "ann"]) },
    answer: { "\($0)\n" }, otherHost: Refusal(status: 1, output: "", isSaid: false),
    needsLogin: loginRequired, several: (2, false),
    malformed: [
      Question(), Question(arguments: ["get"]), Question(arguments: ["get", "https://h.example"]),
      Question(arguments: ["set", "https://h.example", "ann"]),
      Question(arguments: ["diagnose"]),
      Question(arguments: ["--teleport", "get", "https://h.example", "ann"]),
    ], refusal: invalid)

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
      output: #"{"version":1,"success":false,"code":"origin_not_allowed","message":"no account is meant for "#
        + #"https://other.example/locations/global/workforcePools/p"}"# + "\n", isSaid: false),
    needsLogin: Refusal(
      status: 0,
      output:
        #"{"version":1,"success":false,"code":"login_required","message":"somebody must sign in to the "#
        + #"account work, and nobody may be asked"}"# + "\n", isSaid: false), several: (0, true),
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
        #"{"version":1,"success":false,"code":"invalid_option","message":"what google says cannot be read"}"#
        + "\n", isSaid: false))
}
