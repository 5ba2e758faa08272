@testable import LoginCore
@testable import tokentry

extension Check {
  /// Documents of options: the command in the first line, and the document in the rest.
  static let request = Check(growing: [
    ("members", { elements($0, from: "login\n{", to: "}") { "\"a\($0)\":1" } }),
    ("parameters", { elements($0, from: "login\n{\"parameters\":{", to: "}}") { "\"a\($0)\":\"1\"" } }),
    (
      "resources",
      { elements($0, from: "login\n{\"resource\":[", to: "]}") { "\"https://a\($0).example/\"" } }
    ),
    (
      "redirects",
      { elements($0, from: "login\n{\"redirect_uris\":[", to: "]}") { "\"https://a\($0).example/\"" } }
    ),
  ]
  ) { bytes in
    var input = Input(bytes)
    guard let command = Command(rawValue: input.text()) else { return }
    let document = input.remainder
    _ = OptionsDocument.output(in: document)
    let members = (try? JSONReader.read(document))?.object
    do throws(Failure) {
      var wishes = Wishes()
      try wishes.take(try OptionsDocument.wishes(in: document, for: command))
      let members = require(members, "a request is an object")
      require(
        wishes.given.allSatisfy { command.options.contains($0.option) || $0.option.isUnlisted },
        "options belong to the command")
      require(
        wishes.given.allSatisfy { $0.option.place != .commandLine || $0.option.flag == "--endpoint" },
        "a document has no options for people; it names endpoints as metadata do")
      if let secret = wishes.provider.clientSecret {
        require(members["client_secret"] == .string(secret.revealed()), "the secret is that of the document")
      }
      for wish in wishes.given where !wish.option.isSecret {
        require(
          !wish.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F },
          "\(wish.option.name) is clean: \(wish.text)")
      }
    } catch {
      checkReport(of: error)
      checkSecrets(of: members, in: error)
    }
  }

  /// Checks that a failure does not contain the secrets of the request.
  private static func checkSecrets(of members: JSONObject?, in failure: Failure) {
    let report = Report(failure)
    let messages = [report.failure.message.description, report.hint?.description ?? ""]
    let texts = (messages + [report.json.text]).joined(separator: " ")
    for name in ["client_secret", "password", "refresh_token", "initial_access_token"] {
      guard let secret = members?[name]?.string, secret.utf8.count >= 12 else { continue }
      let isElsewhere = members?.contains { member in
        !member.name.isIdentical(to: name) && contains((member.name + member.value.text).bytes, secret.bytes)
      }
      require(
        isElsewhere == true || contains(known.bytes, secret.bytes) || !contains(texts.bytes, secret.bytes),
        "\(secret) is not in \(texts)")
    }
  }

  /// Words that occur in our own sentences.
  private static let known =
    tokentry.Option.all.map(\.flag).joined(separator: " ")
    + " client_secret initial_access_token refresh_token password redirect_uri"
    + " invalid_option error_description configuration authorization_details token_assume_unexpired secret_in_body"
}
