import LoginCore

/// Tells the user to type a code in on another device (RFC 8628 section 3.3).
package struct DeviceInstruction: Sendable, Equatable {
  package var userCode: String
  package var verificationURI: String
  /// The address with the code in it, if the provider has one.
  package var completeURI: String?
  /// The time that is left to type in the code.
  package var secondsLeft: Int64?
  /// The address as a QR code.
  package var picture: CodePicture?
  /// True if the user asked for a browser and none could be opened.
  package var lacksBrowser = false
  /// True if the code has expired, and the user is asked whether to get another one.
  package var hasExpired = false

  package init(userCode: String, verificationURI: String) {
    self.userCode = userCode
    self.verificationURI = verificationURI
  }
}

extension DeviceInstruction {
  /// Reads the members. Unknown ones come from later versions and are ignored.
  init?(_ object: JSONObject) {
    guard let code = object["user_code"]?.string, let address = object["verification_uri"]?.string else {
      return nil
    }
    self.init(userCode: code, verificationURI: address)
    completeURI = object["verification_uri_complete"]?.string
    secondsLeft = object["expires_in"]?.truncated.map { min(max(0, $0), Self.longestTime) }
    picture = object["qr"]?.strings.flatMap(CodePicture.init)
    lacksBrowser = object["problem"]?.string == Self.noBrowser
    hasExpired = object["problem"]?.string == Self.expired
  }

  var json: JSONObject {
    [
      "user_code": .string(userCode), "verification_uri": .string(verificationURI),
      "verification_uri_complete": completeURI.map(JSONValue.string),
      "expires_in": secondsLeft.map { .number(JSONNumber($0)) }, "qr": picture.map { .texts($0.rows) },
      "problem": hasExpired ? .string(Self.expired) : lacksBrowser ? .string(Self.noBrowser) : nil,
    ]
  }

  /// A day.
  private static let longestTime: Int64 = 86_400
  private static let noBrowser = PasteQuestion.Problem.noBrowser.rawValue
  private static let expired = "expired"
}

/// A QR code (ISO/IEC 18004) as a square of dark and light modules, without the quiet zone around it.
package struct CodePicture: Sendable, Equatable {
  /// The number of modules in a row, and of rows.
  package let size: Int
  private let dark: [Bool]

  /// The size of a code of version 40.
  private static let largestSize = 177

  package init(size: Int, isDark: (_ row: Int, _ column: Int) -> Bool) {
    self.size = size
    dark = (0..<size * size).map { isDark($0 / size, $0 % size) }
  }

  /// True for a dark module. Modules outside of the code are light.
  package func isDark(row: Int, column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
    return dark[row * size + column]
  }

  /// Reads rows of `1` for a dark and `0` for a light module. Returns nil if they are not a square.
  init?(_ rows: [String]) {
    let modules = rows.map { Array($0.utf8) }
    let digits = [UInt8(ascii: "0"), UInt8(ascii: "1")]
    guard (1...Self.largestSize).contains(rows.count),
      modules.allSatisfy({ $0.count == rows.count && $0.allSatisfy(digits.contains) })
    else { return nil }
    self.init(size: rows.count) { modules[$0][$1] == digits[1] }
  }

  var rows: [String] {
    (0..<size).map { row in
      (0..<size).map { isDark(row: row, column: $0) ? "1" : "0" }.joined()
    }
  }
}
