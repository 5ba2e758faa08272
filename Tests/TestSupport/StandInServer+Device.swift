import Synchronization

extension StandInServer {
  /// A provider that gives out codes for another device at `/codes`, and asks `answer` what to say to each question
  /// for a token, counted from zero. `BASE` in `more` is its address.
  public static func givingCodes(
    life: Int = 60, more: String = "", _ answer: @escaping @Sendable (Int) -> Answer
  ) throws -> StandInServer {
    let count = Mutex(0)
    return try StandInServer { request, base in
      if request.path == "/codes" {
        return .json(
          """
          {"device_code":"D","user_code":"WDJB-MJHT","verification_uri":"\(base)/device","expires_in":\(life),
          "interval":1\(more.replacing("BASE", with: base))}
          """)
      }
      return answer(
        count.withLock { count in
          defer { count += 1 }
          return count
        })
    }
  }

  /// The same with these answers, the last again and again.
  public static func givingCodes(
    life: Int = 60, more: String = "", _ answers: [Answer]
  ) throws -> StandInServer {
    try givingCodes(life: life, more: more) { answers[min($0, answers.count - 1)] }
  }

  /// The options of a login with such a code.
  public var deviceOptions: [String] {
    [
      "login", "--device-authorization-endpoint", base + "/codes", "--token-endpoint", base + "/token",
      "--client-id", "me", "--scope", "mail",
    ]
  }
}
