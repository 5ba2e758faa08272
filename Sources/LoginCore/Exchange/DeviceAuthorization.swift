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
    let members = try EndpointAnswer.members(of: response, from: .deviceAuthorization)
    let missing = ["device_code", "user_code", "expires_in"].filter { members[$0] == nil }
    if let name = missing.first { throw Self.fault(.missing(name, from: .deviceAuthorization)) }
    guard let device = members["device_code"]?.string, !device.isEmpty,
      let user = members["user_code"]?.string, !user.isEmpty,
      let lifetime = members["expires_in"].flatMap(Token.seconds), lifetime > 0
    else { throw Self.fault(.unusable("device_code", from: .deviceAuthorization)) }
    // Google's endpoint is older than the standard and names it otherwise.
    guard let address = (members["verification_uri"] ?? members["verification_url"])?.string,
      Self.isShowable(address), Self.isText(user)
    else { throw Self.fault(.unusable("verification_uri", from: .deviceAuthorization)) }
    deviceCode = DeviceCode(device)
    userCode = user
    verificationURI = address
    completeURI = (members["verification_uri_complete"] ?? members["verification_url_complete"])?.string
      .flatMap { Self.isShowable($0) ? $0 : nil }
    self.lifetime = min(lifetime, Self.longestLifetime)
    interval = min(max(1, members["interval"].flatMap(Token.seconds) ?? Self.defaultInterval), self.lifetime)
  }

  /// An address that a terminal can show and a browser opens as it is shown.
  private static func isShowable(_ address: String) -> Bool {
    guard address.utf8.count <= 2_000 else { return false }
    return (try? WebAddress(address.splitOnce(at: "#").0)) != nil
  }

  /// Printable, and short enough to be typed in.
  private static func isText(_ code: String) -> Bool {
    code.utf8.count <= 100 && code.unicodeScalars.allSatisfy { !$0.isControl }
  }

  private static func fault(_ fault: ResponseFault) -> Failure { .network(.badResponse(fault)) }
}
