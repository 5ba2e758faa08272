import Foundation
import LoginCore
import Testing

@testable import tokentry

/// data/schema/request.schema.json is for editors and for programs that check what they write.
@Suite("The schema of request documents")
struct RequestDocumentSchemaTests {
  @Test("The schema is what the table of options says")
  func snapshot() throws {
    let options = Option.allCases.filter { option in
      !RequestDocument.excluded.contains(option)
        && Command.allCases.contains { $0.options.contains(.request) && $0.options.contains(option) }
    }
    var lines = options.map { member($0.member, type(of: $0), $0.help) }
    lines += RequestDocument.aliases.sorted { $0.key < $1.key }.map { name, option in
      member(name, type(of: option), "the same as \(option.member)")
    }
    lines += [
      ("client_secret", "string", "the client's secret"),
      ("token", "object", "a token as login printed it, to be used or renewed"),
      ("secret_in_body", "boolean", "whether the secret is sent in the body: client_authentication is post"),
      ("token_assume_unexpired", "boolean", "whether a token without an end is good for ever"),
    ].map { member($0, "\"type\": [\"\($1)\", \"null\"]", $2) }
    lines += [
      ("password", "the user's password"),
      ("refresh_token", "what is renewed in place of a login"),
      ("initial_access_token", "what the provider wants of new clients"),
    ].map { member($0, Self.text, $1) }
    lines += RequestDocument.withoutEffect.map {
      member($0, #""type": ["boolean", "null"]"#, "accepted, without effect")
    }
    try expectSnapshot(
      """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tokentry request",
        "description": "What --request reads: options under their names with underscores, secrets, and the names of p2/OAuth2's settings (tokentry(1), REQUEST DOCUMENT). Which of them make sense depends on the command.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
      \(lines.joined(separator: ",\n"))
        }
      }

      """, "../../../data/schema/request.schema", as: "json")
  }

  private func member(_ name: String, _ type: String, _ help: String) -> String {
    "    \"\(name)\": { \(type), \"description\": \(JSONValue.string(help).text) }"
  }

  private func type(of option: tokentry.Option) -> String {
    switch option.value {
    case .none: #""type": ["boolean", "null"]"#
    case .seconds: #""type": ["integer", "string", "null"], "minimum": 0, "pattern": "^[0-9]+$""#
    case .choice(let choices): #""enum": \#(JSONValue.array(choices.map(JSONValue.string) + [.null]).text)"#
    case .pair:
      #""type": ["object", "null"], "additionalProperties": { "type": ["string", "number", "boolean"] }"#
    // An empty scope takes back the preset's.
    case .text where option == .scope: #""type": ["string", "null"]"#
    case .text where option != .redirectURI: Self.text
    case .text, .texts:
      #""type": ["string", "array", "null"], "minLength": 1, "minItems": 1, "items": { "type": "string", "minLength": 1 }"#
    }
  }

  private static let text = #""type": ["string", "null"], "minLength": 1"#
}
