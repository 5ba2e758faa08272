/// What a provider answers to a ``DeviceAuthorizationRequest``: a code for the user, an address where to type it
/// in, and a code for the device (RFC 8628 section 3.2).
public struct DeviceAuthorization: Sendable {
  /// What the user types in.
  public let userCode: String
  /// Where the user types it in.
  public let verificationURI: String
  /// The same address with the code in it, for a QR code; the code is shown all the same, to be compared.
  public let completeURI: String?
  /// How long the codes are good for, in seconds.
  public let lifetime: Int64
  /// How long to wait between two questions at least, in seconds.
  public let interval: Int64
  /// What the device asks for its token with.
  public let deviceCode: DeviceCode

  /// RFC 8628 section 3.5: without an `interval` it is five seconds.
  static let defaultInterval: Int64 = 5

  /// Nobody waits for longer than a day.
  private static let longestLifetime: Int64 = 86_400

  /// Refuses errors, and an answer with which nobody could sign in.
  public init(_ response: HTTPResponse) throws(Failure) {
    let members = try EndpointAnswer.members(of: response, from: Self.here)
    deviceCode = DeviceCode(try Self.text("device_code", members["device_code"]) { !$0.isEmpty })
    userCode = try Self.text("user_code", members["user_code"], if: Self.isTypable).forDisplay()
    // Google's endpoint is older than the standard and names it otherwise.
    let address = members["verification_uri"] ?? members["verification_url"]
    let shown = try Self.text("verification_uri", address) { Self.origin(ofShowable: $0) != nil }
    verificationURI = shown
    // Whoever follows the picture gets to the server that is shown, or there is no picture of it.
    completeURI = (members["verification_uri_complete"] ?? members["verification_url_complete"])?.string
      .flatMap { Self.origin(ofShowable: $0) == Self.origin(ofShowable: shown) ? $0 : nil }
    guard let life = members["expires_in"] else { throw Self.fault(.missing("expires_in", from: Self.here)) }
    guard let lifetime = Token.seconds(life), lifetime > 0 else {
      throw Self.fault(.unusable("expires_in", from: Self.here))
    }
    self.lifetime = min(lifetime, Self.longestLifetime)
    interval = min(max(1, members["interval"].flatMap(Token.seconds) ?? Self.defaultInterval), self.lifetime)
  }

  /// The server of an address that a terminal can show and a browser opens as it is shown. Pages of one page have
  /// their place in the fragment, which must not look like a server.
  private static func origin(ofShowable address: String) -> String? {
    let (page, fragment) = address.splitOnce(at: "#")
    guard address.utf8.count <= 2_000,
      (fragment ?? "").utf8.allSatisfy({ $0.isUnreserved || "/?&=%+!".utf8.contains($0) })
    else { return nil }
    return (try? WebAddress(page))?.origin
  }

  /// Printable, and short enough to be typed in.
  private static func isTypable(_ code: String) -> Bool {
    !code.forDisplay().isEmpty && code.utf8.count <= 100
      && code.unicodeScalars.allSatisfy { !$0.isControl }
  }

  private static func text(
    _ name: String, _ value: JSONValue?, if isUsable: (String) -> Bool
  ) throws(Failure) -> String {
    guard let value else { throw fault(.missing(name, from: here)) }
    guard let text = value.string, isUsable(text) else { throw fault(.unusable(name, from: here)) }
    return text
  }

  private static let here = EndpointName.deviceAuthorization
  private static func fault(_ fault: ResponseFault) -> Failure { .network(.badResponse(fault)) }
}
