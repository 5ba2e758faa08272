import LoginCore
import Wording

/// What git says to a credential helper (git-credential(1), "INPUT/OUTPUT FORMAT").
struct GitCredentialRequest: Sendable {
  /// The protocol of the remote repository, such as `https`.
  private(set) var scheme: String?
  /// Its host, with the port where the address has one.
  private(set) var host: String?
  /// The user in its address, if there is one.
  private(set) var username: String?
  /// What git has sent to the server: a password, or a credential of a scheme of HTTP.
  private(set) var secret: AccessToken?
  /// Whether git can use schemes other than Basic.
  private(set) var knowsSchemes = false
  private var challenges: [String] = []

  /// The most that git may say, in bytes.
  static let maximumSize = 256 * 1_024

  /// Reads attributes up to an empty line or the end. Those that are not known are passed over; the last of several
  /// with one name counts.
  init(_ bytes: [UInt8]) throws(Failure) {
    guard !bytes.contains(0) else { throw Self.malformed(.nul) }
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.isEmpty { return }
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex else {
        throw Self.malformed(.noAttribute)
      }
      try read(
        String(decoding: line[..<equals], as: UTF8.self),
        String(decoding: line[(equals + 1)...], as: UTF8.self))
    }
  }

  /// Whether the server asks for a token rather than for a password (RFC 6750 section 3).
  var asksForBearer: Bool { challenges.contains { Challenge.list($0).contains(where: \.isForToken) } }

  private mutating func read(_ name: String, _ value: String) throws(Failure) {
    // A carriage return in a host has led credentials to another one (CVE-2024-52006).
    guard !value.utf8.contains(0x0D) || name == "wwwauth[]" else {
      throw Self.malformed(.carriageReturn)
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

  /// An address stands for its parts; what it lacks is taken back.
  private mutating func read(url: String) throws(Failure) {
    guard let start = url.startOfAuthority else { throw Self.malformed(.noURL) }
    scheme = String(url[..<start].dropLast(3))
    // A backslash is a part of the host for some, and its end for others.
    guard !url.utf8.contains(UInt8(ascii: "\\")) else { throw Self.malformed(.noURL) }
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
    guard let bytes = PercentEncoding.decode(text, brokenEscapes: .refused) else {
      throw malformed(.noURL)
    }
    // Decoded, they would begin a line of their own.
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw malformed(.controlCharacters)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func malformed(_ problem: CommandLineFault.GitProblem) -> Failure {
    .commandLine(.git(problem))
  }
}

extension GitCredentialRequest: Redacted {
  /// The address without the secret.
  var description: String { "\(scheme ?? "")://\(host ?? "")" }
}
