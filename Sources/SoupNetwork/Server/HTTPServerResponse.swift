import LoginCore

/// What a server of ours answers: never kept by a cache, never sniffed, never shown in a frame.
public struct HTTPServerResponse: Sendable {
  /// The status code (RFC 9110 section 15).
  public var status: Int
  /// The header fields.
  public var headers: [Parameter]
  /// What is sent along.
  public var body: [UInt8]

  /// An answer of these parts.
  public init(status: Int, headers: [Parameter] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = Self.always + headers
    self.body = body
  }

  /// A page that loads nothing and runs nothing. `styleHash` allows the style whose SHA-256 digest it is, in
  /// base64 (Content Security Policy Level 3 section 2.3.1).
  ///
  /// There is no `form-action`: engines apply it to the redirect after a POST as well, and would so keep a
  /// callback from leaving the page.
  public static func html(_ page: HTML, status: Int = 200, styleHash: String? = nil) -> HTTPServerResponse {
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

  /// A JSON object.
  public static func json(_ object: JSONObject, status: Int = 200) -> HTTPServerResponse {
    HTTPServerResponse(
      status: status,
      headers: [Parameter("Content-Type", "application/json"), Parameter("Pragma", "no-cache")],
      body: Array(object.text.utf8))
  }

  /// Sends the browser elsewhere. With 303 it never repeats a POST there, and with it a password
  /// (RFC 9700 section 4.12).
  public static func redirect(to location: String) -> HTTPServerResponse {
    HTTPServerResponse(status: 303, headers: [Parameter("Location", location)])
  }

  /// A line of text.
  public static func text(_ text: String, status: Int) -> HTTPServerResponse {
    HTTPServerResponse(
      status: status, headers: [Parameter("Content-Type", "text/plain; charset=utf-8")],
      body: Array("\(text)\n".utf8))
  }

  /// An answer that says nothing but its status, for programs that have asked for something wrong.
  public static func bare(status: Int) -> HTTPServerResponse { .text("HTTP \(status)", status: status) }

  /// The same answer with one header field more.
  public func adding(_ name: String, _ value: String) -> HTTPServerResponse {
    var response = self
    response.headers.append(Parameter(name, value))
    return response
  }

  private static let always = [
    Parameter("Cache-Control", "no-store"),
    Parameter("Referrer-Policy", "no-referrer"),
    Parameter("X-Content-Type-Options", "nosniff"),
  ]

  /// Whether no header field could end early and begin another.
  var isWellFormed: Bool {
    headers.allSatisfy { header in
      !header.name.isEmpty
        && (header.name + header.value).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }
    }
  }
}

extension HTTPServerResponse: CustomStringConvertible, CustomReflectable {
  /// The status; the rest may hold a token.
  public var description: String { "HTTP \(status)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
