import Foundation
import TestSupport
import Testing

/// Google's library for Python with a token exchange (RFC 8693) on this machine.
@Suite("Google's library and its helper", .blocking)
struct GoogleClientTests {
  /// Prints the token that a credential file leads to: `who.py CREDENTIALS [interactive]`.
  private static let program = """
    import json, sys
    from google.auth import exceptions, pluggable
    import urllib3
    from google.auth.transport import urllib3 as transport
    with open(sys.argv[1]) as file:
        information = json.load(file)
    credentials = pluggable.Credentials.from_info(information, interactive="interactive" in sys.argv)
    try:
        credentials.refresh(transport.Request(urllib3.PoolManager()))
        print(credentials.token)
    except exceptions.RefreshError as error:
        print("refused:", error)
    """

  /// Writes a credential file for an account from the output of `tokentry helper`, with a file for the answer.
  private func write(_ name: String, _ account: String, for clients: ForeignClients) throws {
    let part = "{\(try clients.setUp("google")[0].replacingOccurrences(of: "NAME", with: account))}"
    let members =
      try JSONSerialization.jsonObject(with: Data(part.utf8)) as? [String: [String: [String: String]]]
    var executable: [String: Any] = try #require(members?["credential_source"]?["executable"])
    executable["timeout_millis"] = 30_000
    executable["interactive_timeout_millis"] = 300_000
    executable["output_file"] = "\(clients.services.folder)/\(name)-kept.json"
    let file: [String: Any] = [
      "type": "external_account", "token_url": "\(clients.services.base)/exchange",
      "audience": "//iam.googleapis.com/locations/global/workforcePools/p/providers/q",
      "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
      "credential_source": ["executable": executable],
    ]
    try JSONSerialization.data(withJSONObject: file)
      .write(to: URL(filePath: "\(clients.services.folder)/\(name).json"))
  }

  private func run(_ clients: ForeignClients, _ script: String) throws -> [String] {
    try Self.program.write(toFile: clients.services.folder + "/who.py", atomically: true, encoding: .utf8)
    let run = try clients.shell(
      script,
      [
        "PYTHONPATH": try ForeignClients.programs(), "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1",
        "TOKENTRY_HEADLESS_TEST": "1",
      ])
    #expect(run.status == 0, "\(run.messages)\(clients.log)")
    #expect(!run.output.contains("ACCESSTOKEN") && !run.messages.contains("ACCESSTOKEN"), "\(run.output)")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test("The library exchanges the id_token, keeps it in its file, and shows the helper's error")
  func unattended() throws {
    let clients = try ForeignClients()
    try write("work", "work", for: clients)
    try write("none", "none", for: clients)
    let lines = try run(
      clients,
      """
      /usr/bin/python3 who.py work.json
      /usr/bin/python3 who.py none.json
      ls *-kept.json
      """)
    #expect(lines.first == "google", "\(lines)")
    #expect(lines.dropFirst().first?.contains("code: unknown_account") == true, "\(lines)")
    #expect(lines.dropFirst(2) == ["work-kept.json"], "a failure leaves no file")
    let kept = try String(contentsOfFile: clients.services.folder + "/work-kept.json", encoding: .utf8)
    #expect(kept.contains("\"id_token\":\"IACCESSTOKEN-1\""))
  }
}
