import LoginWays
import Wording

@testable import LoginCore

/// Why the user did not sign in.
extension WordTable {
  static let user: [Row] = [
    Row(.user(.cancelled(.windowClosed)), "cancelled", "the window was closed"),
    Row(.user(.cancelled(.terminalClosed)), "cancelled", "the terminal was closed"),
    Row(.user(.cancelled(.inputEnded)), "cancelled", "standard input ended without an answer"),
    Row(.user(.cancelled(.task)), "cancelled", "the login was cancelled"),
    Row(
      .user(.loginRequired(page: "https://as.test/login?a=/")), "login_required",
      "the provider shows a page on which somebody must sign in",
      details: ["uri": "https://as.test/login?a=/"]),
    Row(
      .user(.alreadyInProgress(account: "work")), "already_in_progress",
      "another program is refreshing or signing in to the account work"),
    Row(
      .user(.signInForbidden(account: "work")), "login_required",
      "somebody must sign in to the account work, and nobody may be asked"),
    Row(
      .user(.signInPaused(account: "work", seconds: 90)), "login_required",
      "the last login to the account work was refused, and nobody is asked again for 90 s",
      hint: "`tokentry login --account work` asks at once", details: ["retry_after": 90]),
  ]
}
