import LoginCore

/// An answer of our server. Browsers must not cache it, guess its type or show it in a frame.
package struct HTTPServerResponse: Sendable {
  package var status: Int
  package var headers: ParameterList
  package var body: [UInt8]

  package init(status: Int, headers: ParameterList = [], body: [UInt8] = []) {
    self.status = status
    self.headers = Self.always + headers
    self.body = body
  }

  /// A page that may not load anything or run scripts. `styleHash` is the SHA-256 digest, in base64, of the only style
  /// that is allowed (Content Security Policy Level 3 section 2.3.1).
  ///
  /// There is no `form-action`: browsers apply it to the redirect after a POST as well, so it would block callbacks.
  package static func html(_ page: HTML, status: Int = 200, styleHash: String? = nil) -> HTTPServerResponse {
    let style = styleHash.map { "; style-src 'sha256-\($0)'" } ?? ""
    return HTTPServerResponse(
      status: status,
      headers: [
        Parameter("Content-Type", "text/html; charset=utf-8"),
        Parameter(
          "Content-Security-Policy",
          "default-src 'none'\(style); base-uri 'none'; frame-ancestors 'none'"),
        Parameter("X-Frame-Options", "DENY"),
      ],
      body: Array(page.markup.utf8))
  }

  package static func json(_ object: JSONObject, status: Int = 200) -> HTTPServerResponse {
    HTTPServerResponse(
      status: status,
      headers: [Parameter("Content-Type", "application/json"), Parameter("Pragma", "no-cache")],
      body: Array(object.text.utf8))
  }

  /// Sends the browser to another address. With status 303 it does not repeat a POST, and the password in it, there (RFC
  /// 9700 section 4.12).
  package static func redirect(to location: String) -> HTTPServerResponse {
    HTTPServerResponse(status: 303, headers: [Parameter("Location", location)])
  }

  /// One line of text.
  package static func text(_ text: String, status: Int) -> HTTPServerResponse {
    HTTPServerResponse(
      status: status, headers: [Parameter("Content-Type", "text/plain; charset=utf-8")],
      body: Array("\(text)\n".utf8))
  }

  /// The status alone, for programs that sent a bad request.
  package static func bare(status: Int) -> HTTPServerResponse { .text("HTTP \(status)", status: status) }

  /// Returns the answer with one more header field.
  package func adding(_ name: String, _ value: String) -> HTTPServerResponse {
    var response = self
    response.headers.append(Parameter(name, value))
    return response
  }

  private static let always = [
    Parameter("Cache-Control", "no-store"),
    Parameter("Referrer-Policy", "no-referrer"),
    Parameter("X-Content-Type-Options", "nosniff"),
  ]

  /// True if no header field can end early and begin another one.
  var isWellFormed: Bool {
    headers.allSatisfy { header in
      !header.name.isEmpty
        && (header.name + header.value).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }
    }
  }
}

extension HTTPServerResponse: CustomStringConvertible, CustomReflectable {
  /// The status; the rest may hold a token.
  package var description: String { "HTTP \(status)" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
