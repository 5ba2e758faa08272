import LoginCore
import Platform
import SecretStore

/// Executable-sourced credentials of Google's client libraries, version 1. The request is in the environment. The libraries
/// mix standard error into the answer, so errors are part of the JSON object.
///
/// In interactive mode, standard output and standard error are those of the application, for its user. The libraries then
/// look at the status and read the answer from a file.
struct GoogleHelper: HelperProtocol {
  static let name = "google"
  static let callers = "Google's client libraries"
  static let setUp = [
    #""credential_source": {"executable": {"command": "tokentry helper google --account NAME"}}"#,
    "    in the file of GOOGLE_APPLICATION_CREDENTIALS, with GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1",
  ]

  private static let prefix = "GOOGLE_EXTERNAL_ACCOUNT_"
  private static let types = [
    "urn:ietf:params:oauth:token-type:id_token", "urn:ietf:params:oauth:token-type:jwt",
  ]

  private let broker: TokenBroker
  private let type: String
  private let audience: String

  static func mayAsk(_ environment: Environment) -> Bool {
    environment[prefix + "INTERACTIVE"] == "1"
  }

  /// The libraries read an error only if the status is 0, and none in interactive mode. A run that was cut off keeps its
  /// status.
  static func refusal(of failure: Failure) -> Refusal {
    let isCutOff = [.cancelled, .timeout, .outputFailed].contains(failure.code)
    let isRead = Environment()[prefix + "INTERACTIVE"] != "1" && !isCutOff
    return Refusal(
      output: { report in
        let object: JSONObject = [
          "version": 1, "success": false, "code": report.json["error"],
          "message": .string(report.failure.message.description),
        ]
        return object.text + "\n"
      }, isSaid: false, status: isRead ? 0 : nil)
  }

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    try broker.checkArguments([])
    guard let type = broker[Self.prefix + "TOKEN_TYPE"], Self.types.contains(where: type.isIdentical),
      let audience = broker[Self.prefix + "AUDIENCE"]
    else { throw broker.malformed }
    (self.type, self.audience) = (type, audience)
    // Other programs may use the account.
    if broker[Self.prefix + "REVOKE"] == "1" { throw .unsupported("revoke", by: Self.name) }
  }

  func text() async throws(Failure) -> String {
    let account = broker.account
    // The audience is the name of a resource, with the host in front (AIP-122). A named account may be for any.
    var wish = broker.wish(account == nil ? TokenWish.Address(url: "https:" + audience) : nil)
    wish.needsIdentity = true
    let (token, end) = try await broker.token(wish).identification()
    let object: JSONObject = [
      "version": 1, "success": true, "token_type": .string(type), "id_token": .string(token),
      "expiration_time": end.map { .number(JSONNumber($0.secondsSince1970)) },
    ]
    let text = object.text + "\n"
    guard let path = broker[Self.prefix + "OUTPUT_FILE"] else { return text }
    try Self.save(text, at: path)
    return broker[Self.prefix + "INTERACTIVE"] == "1" ? "" : text
  }

  /// Replaces the file from which the libraries take the token the next time.
  private static func save(_ text: String, at path: String) throws(Failure) {
    try failing(TokenFile(path).replace(with: text)) { (error: FileError) in
      error.systemCode == nil ? .file(prefix + "OUTPUT_FILE", error) : .unusableStore(error)
    }
  }
}
