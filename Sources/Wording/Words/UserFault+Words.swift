import LoginCore

extension UserFault {
  var verdict: Verdict {
    switch self {
    case .cancelled: .cancelled
    case .loginRequired, .signInForbidden, .signInPaused: .loginRequired
    case .alreadyInProgress: .alreadyInProgress
    }
  }

  var saying: Saying {
    switch self {
    case .cancelled(.windowClosed): "the window was closed"
    case .cancelled(.terminalClosed): "the terminal was closed"
    case .cancelled(.task): "the login was ended"
    case .loginRequired: "the provider shows a page on which somebody has to sign in"
    case .alreadyInProgress(let account):
      "another program is at the account \(account), with a refresh or a login"
    case .signInForbidden(let account):
      "somebody has to sign in to the account \(account), and nobody may be asked"
    case .signInPaused(let account, let seconds):
      Saying(
        "the last login to the account \(account) was turned away, and nobody is asked again for \(seconds) s",
        hint: "`tokentry login --account \(account)` asks at once")
    }
  }

  var details: JSONObject? {
    switch self {
    case .loginRequired(let page): ["uri": .string(page)]
    case .signInPaused(_, let seconds): ["retry_after": .number(JSONNumber(seconds))]
    case .cancelled, .alreadyInProgress, .signInForbidden: nil
    }
  }
}
