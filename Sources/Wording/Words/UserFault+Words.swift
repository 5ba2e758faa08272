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
    case .cancelled(.inputEnded): "standard input ended without an answer"
    case .cancelled(.task): "the login was cancelled"
    case .loginRequired: "the provider shows a page on which somebody must sign in"
    case .alreadyInProgress(let account):
      "another program is refreshing or signing in to the account \(account)"
    case .signInForbidden(let account):
      "somebody must sign in to the account \(account), and nobody may be asked"
    case .signInPaused(let account, let seconds):
      Saying(
        "the last login to the account \(account) was refused, and nobody is asked again for \(seconds) s",
        hint: "`tokentry login --account \(account)` asks at once")
    }
  }

  var details: JSONObject? {
    switch self {
    case .loginRequired(let page): ["uri": .string(Redaction.withoutIdentity(page))]
    case .signInPaused(_, let seconds): ["retry_after": .number(JSONNumber(seconds))]
    case .cancelled, .alreadyInProgress, .signInForbidden: nil
    }
  }
}
