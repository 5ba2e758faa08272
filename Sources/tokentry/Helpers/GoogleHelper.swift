import LoginCore
import PrivateFiles
import Wording

/// Executable-sourced credentials of Google's client libraries, version 1: what they ask is in the environment. What is
/// said on standard error ends up in the answer, so that errors are in there as well.
///
/// Where they say that somebody is there, standard output and standard error are those of the application, for its user
/// to read: the libraries look at the status and into the file.
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

  private let desk: TokenBroker
  private let type: String
  private let audience: String

  static func mayAsk(_ settings: Settings, _ environment: Environment) -> Bool {
    environment[prefix + "INTERACTIVE"] == "1"
  }

  /// The libraries read an answer only where the status is 0, and where somebody is there none at all.
  static func refusal(of failure: Failure) -> Refusal {
    let isRead = Environment()[prefix + "INTERACTIVE"] != "1" && failure.fault(as: RunFault.self) == nil
    return Refusal(
      output: { report in
        let object: JSONObject = [
          "version": 1, "success": false, "code": report.json["error"],
          "message": .string(report.message.source),
        ]
        return object.text + "\n"
      }, isSaid: false, status: isRead ? 0 : nil)
  }

  init(_ desk: TokenBroker) throws(Failure) {
    self.desk = desk
    try desk.checkArguments([])
    guard let type = desk[Self.prefix + "TOKEN_TYPE"], Self.types.contains(where: type.isIdentical),
      let audience = desk[Self.prefix + "AUDIENCE"]
    else { throw desk.malformed }
    (self.type, self.audience) = (type, audience)
    // The accounts are not the libraries' to end.
    if desk[Self.prefix + "REVOKE"] == "1" { throw .helper(.notHere(caller: Self.name, "revoke")) }
  }

  func text() async throws(Failure) -> String {
    let (token, end) = try await desk.identification(of: try await account())
    let object: JSONObject = [
      "version": 1, "success": true, "token_type": .string(type), "id_token": .string(token),
      "expiration_time": end.map { .number(JSONNumber($0.secondsSince1970)) },
    ]
    let text = object.text + "\n"
    guard let path = desk[Self.prefix + "OUTPUT_FILE"] else { return text }
    try Self.keep(text, at: path)
    return desk[Self.prefix + "INTERACTIVE"] == "1" ? "" : text
  }

  /// An audience is the name of a resource with its host in front (AIP-122).
  private func account() async throws(Failure) -> Account {
    if let account = try await desk.namedAccount() { return account }
    return try await desk.account(at: "https:" + audience)
  }

  /// The libraries look there before they ask again; the file has the token or is as it was.
  private static func keep(_ text: String, at path: String) throws(Failure) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    do throws(FileFault) {
      let folder = try PrivateFolder(folder, making: false, forbidding: 0o022)
      try folder.checkReplaceable(name)
      try folder.replace(name, with: Array(text.utf8), through: ".\(name).new")
    } catch {
      if case .system = error.reason { throw .store(.unavailable(.file(error))) }
      throw .commandLine(.file(prefix + "OUTPUT_FILE", .unusable(error)))
    }
  }
}
