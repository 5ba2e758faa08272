import Foundation
import TestSupport
import Testing

/// A provider that answers at once, and a login at it.
struct CodeProvider: Sendable {
  private let server: StandInServer

  init(answer: String = "code=C") throws {
    server = try StandInServer { request, _ in
      let query = URLComponents(string: request.target)?.queryItems ?? []
      func value(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
      if request.path == "/auth" {
        return .redirect("\(value("redirect_uri"))?\(answer)&state=\(value("state"))")
      }
      return .json(#"{"access_token":"T","token_type":"Bearer"}"#)
    }
  }

  /// One that shows a `page`, which is given where the answer goes, and that tells what `pages` says.
  init(page: @escaping @Sendable (String) -> String, pages: @escaping @Sendable () -> String) throws {
    server = try StandInServer { request, _ in
      let query = URLComponents(string: request.target)?.queryItems ?? []
      func value(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
      return switch request.path {
      case "/auth": .html(page("\(value("redirect_uri"))?code=C&state=\(value("state"))"))
      case "/pages": .html(pages())
      case "/token": .json(#"{"access_token":"T","token_type":"Bearer"}"#)
      default: .html("")
      }
    }
  }

  var base: String { server.base }

  /// The redirect URIs that the authorization endpoint was given.
  var redirects: [String] {
    server.requests.filter { $0.path == "/auth" }.compactMap { request in
      URLComponents(string: request.target)?.queryItems?.first { $0.name == "redirect_uri" }?.value
    }
  }

  /// What the token endpoint was sent.
  var exchange: String? { server.requests.first { $0.path == "/token" }?.body }

  func login(_ options: [String], environment: [String: String] = [:]) throws -> Program.Outcome {
    try Program.run(words(options), environment: environment)
  }

  /// The arguments of a login.
  func words(_ options: [String]) -> [String] {
    [
      "login", "--authorization-endpoint", base + "/auth", "--token-endpoint", base + "/token", "--client-id",
      "me",
    ] + options
  }

  static func encoded(_ text: String) throws -> String {
    try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", ".", "_"])))
  }
}
