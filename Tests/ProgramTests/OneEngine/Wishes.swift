import Foundation
import Testing

/// The wishes about a sign-in that a row gives to the command and to the library.
struct Wishes: Sendable, CustomTestStringConvertible {
  private(set) var title: String
  var provider: Set<RecordingProvider.Trait> = []
  /// The calls, in order: `login`, `token`, `request`, `logout` and `forget client`.
  var calls = ["login"]
  var client: String? = "app"
  var secret: String?
  var grant: String?
  var responseType: String?
  var redirect: String?
  var scope: String?
  var parameters: [String: String] = [:]
  var user: (name: String, password: String)?
  var bindsTokens = false
  /// The members of a preset besides its endpoints.
  var preset: String?
  /// The way. `nil` leaves the choice to the engine.
  var way: String? = "headless"
  /// True if the calls after the first may ask the user, too.
  var signingIn = true
  var deadline: Int?
  /// The code of the failure of the last call, or the start of its message for `request`.
  var failure: String?
  /// What the program finds around it.
  var variables: [String: String] = [:]
  var browser: Opener = .none
  /// True if the desktop knows no browser.
  var hasNoDesktopBrowser = false
  var hasDisplay = false
  /// The answers that the user types at a terminal. nil without a terminal.
  var typed: [String]?

  /// The command in `BROWSER`.
  enum Opener: String, Sendable {
    case none, works
    case fails = "/bin/false"
    /// Ends without a fault, and opens no page.
    case losesPage = "/bin/true"
  }

  var testDescription: String { title }
}

/// The rows.
extension Wishes {
  private static let ssh = ["SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"]
  /// A display that nobody serves.
  private static let brokenDisplay = ["DISPLAY": ":4097"]
  private static let logout = #","end_session_endpoint":"BASE/end","logout_request":{}"#

  /// The calls that an agent can take.
  private static let callsOfAgent: Set<String> = ["login", "token", "request"]

  /// True if an agent can be asked for all that the row wants. The agent's user is not at a terminal, and hears of no code.
  var isForAgent: Bool {
    Self.callsOfAgent.isSuperset(of: calls) && typed == nil
      && [secret, grant, responseType, redirect, preset].allSatisfy { $0 == nil }
      && parameters.isEmpty && user == nil && !bindsTokens && deadline == nil
      && !provider.contains(.offersDeviceCodes)
  }

  /// The rows, and those with kept tokens once more with a provider that gives no refresh tokens.
  static let rows: [Wishes] =
    basicRows
    + basicRows.filter {
      $0.calls.count > 1 && callsOfAgent.isSuperset(of: $0.calls) && $0.grant == nil
        && !$0.provider.contains(.refreshesForOther)
    }.map {
      var row = $0.titled($0.title + ", without a refresh token")
      row.provider.insert(.givesNoRefreshTokens)
      return row
    }

  private func titled(_ title: String) -> Wishes {
    var row = self
    row.title = title
    return row
  }

  private static let basicRows: [Wishes] = [
    // The code grant, in each way.
    Wishes(
      title: "code, headless", provider: [.asksForName], scope: "read", parameters: ["audience": "notes"]),
    Wishes(title: "code, with a secret", secret: "s3cret"),
    Wishes(title: "code, in the browser", way: "browser", browser: .works),
    Wishes(title: "code, in the browser of the variable", way: nil, browser: .works),
    Wishes(title: "code, in the browser, at a terminal", way: nil, browser: .works, typed: []),
    Wishes(
      title: "code, in a browser that does not come back", way: nil, deadline: 3, failure: "timeout",
      browser: .losesPage),
    Wishes(title: "code, pasted", way: "paste", typed: ["the-code"]),
    Wishes(title: "code, pasted after a wrong answer", way: "paste", typed: ["two words", "the-code"]),
    Wishes(title: "code, in a browser that does not open", way: nil, browser: .fails, typed: ["the-code"]),
    Wishes(title: "code, in the window", way: "window", hasDisplay: true),
    Wishes(
      title: "code, in the window in place of a browser that does not open", way: nil,
      browser: .fails, hasNoDesktopBrowser: true, hasDisplay: true),
    Wishes(title: "code, on a web page", redirect: "https://app.example/done", way: nil, typed: ["the-code"]),
    // The other grants.
    Wishes(title: "implicit", responseType: "token"),
    Wishes(
      title: "implicit, in the browser", responseType: "token", way: "browser",
      failure: "invalid_configuration", browser: .works),
    Wishes(title: "device", provider: [.offersDeviceCodes], grant: "device", way: nil),
    Wishes(title: "device, as the way", provider: [.offersDeviceCodes], scope: "read", way: "device"),
    Wishes(title: "device, not offered", way: "device", failure: "invalid_configuration"),
    Wishes(
      title: "device, expired", provider: [.offersDeviceCodes, .letsCodesExpire], grant: "device", way: nil,
      failure: "expired_token"),
    Wishes(
      title: "device, denied", provider: [.offersDeviceCodes, .deniesCode], grant: "device", way: nil,
      failure: "access_denied"),
    Wishes(
      title: "client credentials", calls: ["login", "token"], secret: "s3cret", grant: "client-credentials",
      scope: "read", way: nil),
    Wishes(title: "password", grant: "password", scope: "read", user: ("ada", "pass"), way: nil),
    Wishes(title: "password, without a user", grant: "password", way: nil, failure: "invalid_configuration"),
    // Where the user is.
    Wishes(title: "neither a display nor a terminal", way: nil, failure: "no_user_agent"),
    Wishes(
      title: "neither a display nor a terminal, device codes offered", provider: [.offersDeviceCodes],
      way: nil, failure: "no_user_agent"),
    Wishes(title: "over SSH", provider: [.offersDeviceCodes], way: nil, variables: ssh),
    Wishes(title: "over SSH, no device codes", way: nil, variables: ssh, typed: ["the-code"]),
    Wishes(title: "over SSH, nobody there", way: nil, deadline: 3, failure: "timeout", variables: ssh),
    Wishes(title: "the window without a display", way: "window", failure: "no_display"),
    Wishes(title: "a terminal alone", way: nil, typed: ["the-code"]),
    Wishes(
      title: "a display that is not there", way: nil, failure: "no_display", variables: brokenDisplay,
      hasNoDesktopBrowser: true),
    Wishes(
      title: "a preset without the window", preset: #","ways":["browser"]"#, way: nil,
      variables: brokenDisplay, browser: .fails, hasNoDesktopBrowser: true, typed: ["the-code"]),
    Wishes(
      title: "a preset without device codes", provider: [.offersDeviceCodes],
      preset: #","ways":["browser"]"#,
      way: nil, failure: "no_user_agent"),
    Wishes(
      title: "openid, in German", provider: [.identifies], scope: "openid",
      variables: ["LANG": "de_DE.UTF-8"]),
    // What providers demand, and how they fail.
    Wishes(title: "pushed requests", provider: [.wantsPushedRequests], scope: "read"),
    Wishes(
      title: "bound tokens", provider: [.bindsTokens], calls: ["login", "request"], bindsTokens: true),
    Wishes(title: "access denied", provider: [.deniesAccess], failure: "access_denied"),
    Wishes(
      title: "access denied, in the browser", provider: [.deniesAccess], way: nil, failure: "access_denied",
      browser: .works),
    Wishes(title: "a refused code", provider: [.refusesCode], failure: "invalid_grant"),
    Wishes(title: "the metadata of another issuer", provider: [.isAnotherIssuer], failure: "issuer_mismatch"),
    Wishes(
      title: "a port that is taken", redirect: "BASE/done", way: "browser", failure: "no_user_agent",
      browser: .works),
    Wishes(title: "no answer", provider: [.hangsUp], failure: "network_error"),
    // Clients.
    Wishes(
      title: "a registered client", calls: ["login", "login", "forget client", "login"], client: nil,
      scope: "read"),
    Wishes(
      title: "a registered client that the provider forgets", provider: [.forgetsClients],
      calls: ["login", "login"], client: nil),
    // Kept accounts.
    Wishes(title: "a kept token", calls: ["login", "token", "request"]),
    Wishes(
      title: "no account", calls: ["token", "request", "logout"], signingIn: false, failure: "unknown_account"
    ),
    Wishes(
      title: "a refresh", provider: [.givesShortTokens], calls: ["login", "token", "token"], scope: "read"),
    Wishes(
      title: "a refused refresh", provider: [.givesShortTokens, .refusesRefresh], calls: ["login", "token"]),
    Wishes(
      title: "a refused refresh, without the user", provider: [.givesShortTokens, .refusesRefresh],
      calls: ["login", "token", "request"], signingIn: false, failure: "failed, the account"),
    Wishes(
      title: "another user at a new sign-in", provider: [.identifies, .changesUser],
      calls: ["login", "login"], scope: "openid", failure: "other_user"),
    Wishes(title: "a refused token", provider: [.endsTokens], calls: ["login", "request", "request"]),
    Wishes(
      title: "a refused token, dead refresh token", provider: [.endsTokens, .refusesRefresh],
      calls: ["login", "request", "request"]),
    Wishes(
      title: "a demanded scope", provider: [.demandsScope], calls: ["login", "request"], scope: "read"),
    Wishes(
      title: "a demanded scope, without the user", provider: [.demandsScope], calls: ["login", "request"],
      scope: "read", signingIn: false, failure: "failed, the server answered with HTTP 403"),
    Wishes(
      title: "a refresh for another user", provider: [.identifies, .givesShortTokens, .refreshesForOther],
      calls: ["login", "token", "token"], scope: "openid", signingIn: false, failure: "invalid_id_token"),
    Wishes(
      title: "a sign-out", calls: ["login", "logout", "token"], signingIn: false, failure: "unknown_account"),
    Wishes(
      title: "a refused sign-out", provider: [.revokesNothing], calls: ["login", "logout"],
      failure: "temporarily_unavailable"),
    Wishes(
      title: "a sign-out by a logout request", provider: [.givesShortTokens], calls: ["login", "logout"],
      preset: logout),
  ]
}
