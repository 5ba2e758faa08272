import LoginCore

/// The attributes that git sends to a credential helper (git-credential(1), "INPUT/OUTPUT FORMAT").
struct GitCredentialRequest: Sendable {
  /// The protocol of the remote repository, such as `https`.
  private(set) var scheme: String?
  /// The host, with a port if the address has one.
  private(set) var host: String?
  /// The user in the address.
  private(set) var username: String?
  /// The password or the token that git has sent to the server.
  private(set) var secret: AccessToken?
  /// True if git supports schemes other than Basic.
  private(set) var knowsSchemes = false
  private var challenges: [String] = []

  /// Reads attributes up to an empty line or the end. Unknown ones are skipped, and the last of several with the same name
  /// counts.
  init(_ bytes: [UInt8]) throws(Failure) {
    guard !bytes.contains(0) else { throw Self.malformed("it contains a NUL") }
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.isEmpty { return }
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex else {
        throw Self.malformed("a line is not an attribute")
      }
      try read(
        String(decoding: line[..<equals], as: UTF8.self),
        String(decoding: line[(equals + 1)...], as: UTF8.self))
    }
  }

  /// True if the server asks for a token and not for a password (RFC 6750 section 3).
  var asksForBearer: Bool { challenges.contains { Challenge.list($0).contains(where: \.isForToken) } }

  private mutating func read(_ name: String, _ value: String) throws(Failure) {
    // A carriage return in the host has sent credentials to another host (CVE-2024-52006).
    guard !value.utf8.contains(0x0D) || name == "wwwauth[]" else {
      throw Self.malformed("it contains a carriage return")
    }
    switch name {
    case "protocol": scheme = value
    case "host": host = value
    case "username": username = value
    case "password", "credential": secret = AccessToken(value)
    case "url": try read(url: value)
    case "capability[]": if value == "authtype" { knowsSchemes = true }
    case "wwwauth[]": if value.isEmpty { challenges = [] } else { challenges.append(value) }
    default: break
    }
  }

  /// Sets all attributes that are part of the address. Those that it lacks are removed.
  private mutating func read(url: String) throws(Failure) {
    guard let start = url.startOfAuthority else { throw Self.malformedURL }
    scheme = String(url[..<start].dropLast(3))
    // Some programs take a backslash as part of the host, others as its end.
    guard !url.utf8.contains(UInt8(ascii: "\\")) else { throw Self.malformedURL }
    let authority = String(url[start...].unicodeScalars.prefix { !"/?#".unicodeScalars.contains($0) })
    (username, secret) = (nil, nil)
    var address = authority
    if let at = authority.unicodeScalars.lastIndex(of: "@") {
      let (user, password) = String(authority[..<at]).splitOnce(at: ":")
      username = try Self.decoded(user)
      secret = try password.map { text throws(Failure) in AccessToken(try Self.decoded(text)) }
      address = String(authority[authority.unicodeScalars.index(after: at)...])
    }
    host = try Self.decoded(address)
  }

  private static func decoded(_ text: String) throws(Failure) -> String {
    guard let bytes = PercentEncoding.decode(text, brokenEscapes: .refused) else { throw malformedURL }
    // A line feed would begin another attribute.
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw malformed("its url has control characters")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let malformedURL = malformed("its url is not a URL")

  private static func malformed(_ reason: Message) -> Failure {
    Failure(.invalidOption, "the request from git cannot be read: \(reason)")
  }
}

extension GitCredentialRequest: Redacted {
  /// The address without the secret.
  var description: String { "\(scheme ?? "")://\(host ?? "")" }
}

/// The answer of a credential helper to git: the token as a password, or as a bearer token if both git and the server
/// support that.
///
/// It does not contain the refresh token, because git's other helpers must not keep it.
struct GitCredentialAnswer: Sendable {
  /// The lines for standard output.
  let text: String

  init(_ granted: GrantedToken, to request: GitCredentialRequest) throws(Failure) {
    let token = granted.token
    // A token that no header field can carry could contain a line feed.
    let accessToken = try granted.sendableToken()
    let user = granted.user ?? ""
    guard !user.isEmpty, !user.unicodeScalars.contains(where: \.isControl) else {
      throw Failure(.invalidConfiguration, "the preset's git_user is not a user name")
    }
    var lines: [String] = []
    if request.knowsSchemes, request.asksForBearer {
      lines = [
        "capability[]=authtype", "authtype=Bearer", "credential=\(accessToken.revealed())", "ephemeral=1",
      ]
    } else {
      lines = ["username=\(user)", "password=\(accessToken.revealed())"]
    }
    if let expiresAt = token.expiresAt { lines.append("password_expiry_utc=\(expiresAt.secondsSince1970)") }
    text = lines.map { $0 + "\n" }.joined()
  }
}

extension GitCredentialAnswer: Redacted {}
