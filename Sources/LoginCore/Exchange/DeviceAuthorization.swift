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
    userCode = try Self.text("user_code", members["user_code"], if: Self.isTypable)
    // Google's endpoint is older than the standard and names it otherwise.
    let address = members["verification_uri"] ?? members["verification_url"]
    verificationURI = try Self.text("verification_uri", address, if: Self.isShowable)
    completeURI = (members["verification_uri_complete"] ?? members["verification_url_complete"])?.string
      .flatMap { Self.isShowable($0) ? $0 : nil }
    guard let life = members["expires_in"] else { throw Self.fault(.missing("expires_in", from: Self.here)) }
    guard let lifetime = Token.seconds(life), lifetime > 0 else {
      throw Self.fault(.unusable("expires_in", from: Self.here))
    }
    self.lifetime = min(lifetime, Self.longestLifetime)
    interval = min(max(1, members["interval"].flatMap(Token.seconds) ?? Self.defaultInterval), self.lifetime)
  }

  /// An address that a terminal can show and a browser opens as it is shown.
  private static func isShowable(_ address: String) -> Bool {
    guard address.utf8.count <= 2_000 else { return false }
    return (try? WebAddress(address.splitOnce(at: "#").0)) != nil
  }

  /// Printable, and short enough to be typed in.
  private static func isTypable(_ code: String) -> Bool {
    !code.isEmpty && code.utf8.count <= 100 && code.unicodeScalars.allSatisfy { !$0.isControl }
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
