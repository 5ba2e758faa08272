/// Where in a token request its parameters are.
public enum TokenRequestForm: String, Sendable, CaseIterable {
  /// All of them in the body, as RFC 6749 section 4.1.3 has it.
  case form
  /// The code, the refresh token and secrets in the body as a form, the rest in the query (VK ID).
  case codeInBody = "code-in-body"
  /// The same with a JSON object as the body.
  case codeInJSONBody = "code-in-json-body"
}
