/// Callbacks to parse. All of them are redirects to ``redirectURI``.
enum Inputs {
  static let redirectURI = "https://app.example/callback"

  /// A typical callback of 300 bytes with seven parameters, some escapes and a `+`.
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

  /// The part of the callback with the parameters.
  enum Channel: String {
    case query = "?"
    case fragment = "#"
  }

  /// Kinds of long callbacks. The time to parse them must grow no faster than their length.
  enum Shape: String, CaseIterable {
    /// Few parameters with long values without escapes.
    case plain = "plain values"
    /// Few parameters with long values of escapes.
    case escaped = "escaped values"
    /// As many parameters as the parser accepts, with short names.
    case many = "many parameters"
    /// As many parameters as the parser accepts, with long names that differ only in their last bytes.
    case alike = "long names alike"

    /// The limit for the time of 200 kB divided by that of 1 kB: a tenth more than linear, because of caches. Many long
    /// names are compared by hashes of all their bytes, which the few names of the short input do not need.
    var limitOfGrowth: Double { self == .alike ? 600 : 220 }

    /// A callback of this shape, `length` bytes long.
    func callback(length: Int) -> String {
      // In the last two shapes, the number of parameters grows with the length.
      let count =
        switch self {
        case .plain, .escaped: 4
        case .many, .alike: max(2, length / 800)
        }
      var text = redirectURI
      for index in 0..<count {
        // Spread the remaining length evenly over the remaining parameters.
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
