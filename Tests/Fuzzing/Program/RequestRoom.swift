@testable import LoginCore
@testable import Wording
@testable import tokentry

extension Room {
  /// Requests as documents: the command in the first line.
  static let request = Room(
    name: "request", longest: 1_024,
    growing: [
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
    _ = RequestDocument.asksForText(document)
    let members = (try? JSONReader.read(document))?.object
    do throws(Failure) {
      let settings = try RequestDocument(document, for: command).settings
      let members = demand(members, "a request is an object")
      demand(
        settings.given.allSatisfy { command.options.contains($0) || $0 == .clientAuthentication },
        "options are the command's")
      demand(
        RequestDocument.excluded.allSatisfy { !settings.has($0) },
        "what is for people alone is not in a document")
      if let secret = settings.clientSecret {
        demand(members["client_secret"] == .string(secret.revealed()), "a secret is the one that was given")
      }
      for option in settings.given {
        for value in settings.all(option) {
          demand(
            !value.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F },
            "\(option) is clean: \(value)")
        }
      }
    } catch {
      checkWords(of: error)
      checkSecrets(of: members, in: error)
    }
  }

  /// What a request has under the name of a secret is in no failure.
  private static func checkSecrets(of members: JSONObject?, in failure: Failure) {
    let report = Report(failure)
    let texts = [report.message.source, report.hint?.source ?? "", report.json.text].joined(separator: " ")
    for name in ["client_secret", "password", "refresh_token", "initial_access_token"] {
      guard let secret = members?[name]?.string, secret.utf8.count >= 12 else { continue }
      let isElsewhere = members?.contains { member in
        !member.name.isIdentical(to: name) && contains((member.name + member.value.text).bytes, secret.bytes)
      }
      demand(
        isElsewhere == true || contains(known.bytes, secret.bytes) || !contains(texts.bytes, secret.bytes),
        "\(secret) is seen in \(texts)")
    }
  }

  /// Words that are in sentences of ours.
  private static let known =
    Option.allCases.map(\.flag).joined(separator: " ")
    + " client_secret initial_access_token refresh_token password redirect_uri"
    + " invalid_option error_description configuration authorization_details token_assume_unexpired secret_in_body"
}
