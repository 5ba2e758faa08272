import Language
import LoginCore
import Platform
import SoupNetwork

/// Hides random values in messages: `state`, `nonce` and the code verifier are made from them.
struct HidingCryptography: Cryptography {
  let inner: any Cryptography

  func randomBytes(_ count: Int) throws(Failure) -> [UInt8] {
    let bytes = try inner.randomBytes(count)
    Messages.hide(passing: Base64.encodeURLSafe(bytes))
    return bytes
  }

  func digest(_ algorithm: DigestAlgorithm, of bytes: [UInt8]) throws(Failure) -> [UInt8] {
    try inner.digest(algorithm, of: bytes)
  }

  var signatures: (any SignatureCryptography)? { inner.signatures }
}

/// Hides the secrets of requests and answers in messages.
struct HidingTransport: HTTPTransport {
  let inner: any HTTPTransport

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    Messages.hide(credentialsIn: request.headers)
    Messages.hide(secretsIn: request.body)
    let response = try await inner.send(request)
    if let location = response[header: "Location"] { Messages.hide(secretsOf: location) }
    // The answer to a GET is not secret. In other answers, `code` may be that of an error.
    if request.method != .get { Messages.hide(secretsIn: response.body, except: ["code", "state"]) }
    return response
  }
}

extension Messages {
  /// Hides the token, or the user name and the password, in `Authorization` fields.
  static func hide(credentialsIn headers: ParameterList) {
    for header in headers where header.name.lowercased() == "authorization" {
      let (scheme, credential) = header.value.splitOnce(at: " ")
      guard let credential else { continue }
      hide(passing: credential)
      guard scheme == "Basic", let bytes = Base64.decodeURLSafe(credential.urlSafe) else { continue }
      // User name and password are encoded as in a form (RFC 6749 section 2.3.1).
      let pair = bytes.map { $0 == UInt8(ascii: ":") ? UInt8(ascii: "=") : $0 }
      if let text = ParameterList(form: pair, upTo: 1)?.parameters.first?.value { hide(passing: text) }
    }
  }

  /// Hides the user name and the password in the address of a proxy, which libraries repeat in their messages.
  static func hide(userOf proxy: String) {
    let authority = proxy[(proxy.startOfAuthority ?? proxy.startIndex)...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return }
    let user = String(authority[..<at])
    hide(user)
    if let password = user.splitOnce(at: ":").1 { hide(password) }
  }

  /// Hides the secret members of a JSON object, or the secret parameters of a form.
  static func hide(secretsIn body: [UInt8], except harmless: [String] = []) {
    let members = (try? JSONReader.read(body))?.object?.compactMap { member in
      member.value.string.map { Parameter(member.name, $0) }
    }
    let parameters = members ?? ParameterList(form: body, upTo: Callback.maximumParameters)?.parameters ?? []
    for parameter in parameters
    where Redaction.secretNames.contains(parameter.name) && !harmless.contains(parameter.name) {
      hide(passing: parameter.value)
    }
  }

  /// Hides the secret parameters of an address.
  static func hide(secretsOf address: String) {
    let (page, fragment) = address.splitOnce(at: "#")
    for part in [page.splitOnce(at: "?").1, fragment].compactMap(\.self) { hide(secretsIn: Array(part.utf8)) }
  }
}

extension String {
  /// The base64 text in the alphabet for URLs, without white space and padding.
  var urlSafe: String {
    let digits = filter { !$0.isWhitespace }
    return String(digits.replacingAll("+", with: "-").replacingAll("/", with: "_").prefix { $0 != "=" })
  }
}
