/// The callbacks that are parsed, all of them redirects to ``redirectURI``.
enum Inputs {
  static let redirectURI = "https://app.example/callback"

  /// A typical answer of 300 bytes: seven parameters, escapes in two of them and a `+`.
  static func typical(_ channel: Channel) -> String {
    let start = redirectURI + channel.rawValue
    let parameters = [
      "access_token=ya29.a0AfH6SMBx3kq9V7mJrZ2wYc1tN8uLdE5oPgQhRsTiUjVkWlXmYnZo0p1q2r3s4",
      "token_type=Bearer", "expires_in=3600", "scope=openid+email+profile",
      "iss=https%3A%2F%2Flogin.app.example%2Foauth2%2Fdefault", "user_id=1234567",
    ]
    let head = start + parameters.joined(separator: "&") + "&state="
    return head + String(repeating: "s", count: 300 - head.utf8.count)
  }

  /// Where the parameters are.
  enum Channel: String {
    case query = "?"
    case fragment = "#"
  }

  /// Inputs of any length whose time has to grow no faster than they do.
  enum Shape: String, CaseIterable {
    /// Few parameters with long values in which nothing is escaped.
    case plain = "plain values"
    /// Few parameters with long values in which everything is escaped.
    case escaped = "escaped values"
    /// As many parameters as are read, with short names.
    case many = "many parameters"
    /// As many parameters as are read, whose long names differ in the last bytes only.
    case alike = "long names alike"

    /// How many times as long as 1 kB the 200 kB may take: a tenth more than linear, for caches. Long names in
    /// great number are compared by a hash of every byte, which the few of the short input do not need.
    var limitOfGrowth: Double { self == .alike ? 600 : 220 }

    /// A callback of this shape, `length` bytes long.
    func callback(length: Int) -> String {
      // 1 kB of the last two shapes is a piece of 200 kB of them: as many parameters for each byte.
      let count =
        switch self {
        case .plain, .escaped: 4
        case .many, .alike: max(2, length / 800)
        }
      var text = redirectURI
      for index in 0..<count {
        // Spread what is left evenly over the parameters that are left.
        let share = (length - text.utf8.count) / (count - index)
        text += (index == 0 ? "?" : "&") + parameter(index, length: share - 1)
      }
      return text
    }

    private func parameter(_ index: Int, length: Int) -> String {
      let number = String(1_000 + index)
      switch self {
      case .plain, .many:
        return number + "=" + String(repeating: "v", count: length - number.utf8.count - 1)
      case .escaped:
        let (escapes, rest) = (length - number.utf8.count - 1).quotientAndRemainder(dividingBy: 6)
        return number + "=" + String(repeating: "%D1%8F", count: escapes)
          + String(repeating: "v", count: rest)
      case .alike:
        return String(repeating: "n", count: length - number.utf8.count - 1) + number + "="
      }
    }
  }
}
