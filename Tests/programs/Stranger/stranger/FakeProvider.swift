import LoginCore

/// A provider inside this process. It issues a code for each request, and checks the PKCE verifier that comes with the code.
actor FakeProvider: HTTPTransport {
  private var challenges: [String: String] = [:]
  private let cryptography = PlainCryptography()

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let parts = request.endpoint.description.split(separator: "?", maxSplits: 1)
    switch parts[0] {
    case "https://as.example/.well-known/openid-configuration":
      return Self.answer(
        """
        {"issuer":"https://as.example","authorization_endpoint":"https://as.example/authorize",
         "token_endpoint":"https://as.example/token"}
        """)
    case "https://as.example/authorize": return redirect(Self.fields(parts.count > 1 ? parts[1] : ""))
    case "https://as.example/token":
      return try token(Self.fields(String(decoding: request.body, as: UTF8.self)))
    default: return HTTPResponse(status: 404)
    }
  }

  private func redirect(_ query: [String: String]) -> HTTPResponse {
    guard query["code_challenge_method"] == "S256", let challenge = query["code_challenge"] else {
      return HTTPResponse(status: 400)
    }
    let code = "code-\(challenges.count)"
    challenges[code] = challenge
    let place = "https://app.example/done?code=\(code)&state=\(query["state"] ?? "")"
    return HTTPResponse(status: 302, headers: ["Location": place])
  }

  private func token(_ form: [String: String]) throws(Failure) -> HTTPResponse {
    let digest = try cryptography.digest(.sha256, of: Array((form["code_verifier"] ?? "").utf8))
    guard let challenge = challenges.removeValue(forKey: form["code"] ?? ""), challenge == base64URL(digest)
    else {
      return Self.answer(#"{"error":"invalid_grant"}"#, status: 400)
    }
    return Self.answer(
      #"{"access_token":"secret","token_type":"Bearer","expires_in":3600,"user_id":"stranger-1"}"#)
  }

  private static func answer(_ json: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "application/json"], body: Array(json.utf8))
  }

  /// Reads a form whose values need no decoding.
  private static func fields(_ form: some StringProtocol) -> [String: String] {
    let pairs = form.split(separator: "&").map { $0.split(separator: "=", omittingEmptySubsequences: false) }
    return Dictionary(pairs.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }) { $1 }
  }
}

/// Returns the encoding of RFC 4648 section 5, without padding.
private func base64URL(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  var text = "", rest = 0, bits = 0
  for byte in bytes {
    rest = (rest << 8 | Int(byte)) & 0xFFFF
    bits += 8
    while bits >= 6 {
      bits -= 6
      text.append(digits[rest >> bits & 63])
    }
  }
  if bits > 0 { text.append(digits[rest << (6 - bits) & 63]) }
  return text
}
