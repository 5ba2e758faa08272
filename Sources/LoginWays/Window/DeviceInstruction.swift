import LoginCore

/// What the window tells a user who types a code in on another device (RFC 8628 section 3.3).
package struct DeviceInstruction: Sendable, Equatable {
  package var userCode: String
  package var verificationURI: String
  /// The same address with the code in it, where the provider has one.
  package var completeURI: String?
  /// For how many seconds from now somebody can do so.
  package var secondsLeft: Int64?
  /// A picture of the address, for the camera of a telephone.
  package var picture: CodePicture?
  /// Whether a browser was asked for, and none could be opened.
  package var lacksBrowser = false

  package init(userCode: String, verificationURI: String) {
    self.userCode = userCode
    self.verificationURI = verificationURI
  }
}

extension DeviceInstruction {
  /// Reads the members; those that are not known are left to later versions.
  init?(_ object: JSONObject) {
    guard let code = object["user_code"]?.string, let address = object["verification_uri"]?.string else {
      return nil
    }
    self.init(userCode: code, verificationURI: address)
    completeURI = object["verification_uri_complete"]?.string
    secondsLeft = object["expires_in"]?.truncated.map { min(max(0, $0), Self.longestTime) }
    picture = object["qr"]?.strings.flatMap(CodePicture.init)
    lacksBrowser = object["problem"]?.string == Self.noBrowser
  }

  /// The members that say something.
  var json: JSONObject {
    [
      "user_code": .string(userCode), "verification_uri": .string(verificationURI),
      "verification_uri_complete": completeURI.map(JSONValue.string),
      "expires_in": secondsLeft.map { .number(JSONNumber($0)) }, "qr": picture.map { .texts($0.rows) },
      "problem": lacksBrowser ? .string(Self.noBrowser) : nil,
    ]
  }

  /// Nobody waits for longer than a day.
  private static let longestTime: Int64 = 86_400
  private static let noBrowser = PasteQuestion.Problem.noBrowser.rawValue
}
