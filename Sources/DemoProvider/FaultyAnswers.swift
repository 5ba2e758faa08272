import LoginCore
import SoupNetwork

/// An answer, and how it reaches the client.
struct DemoAnswer: Sendable {
  /// nil if the connection is reset instead.
  var response: HTTPServerResponse?
  /// The seconds by which the answer is late.
  var delay: Int64 = 0

  static let reset = DemoAnswer(response: nil)
}

/// The faults that show in an answer. Those that show in a callback are in ``answerAddress(_:)`` and ``answer(to:)``, those of
/// tokens in ``tokenAnswer(for:_:keeping:isRefresh:)``, and those of id_tokens in ``idToken(for:accessToken:code:now:)``.
extension DemoServer {
  /// Returns true if the fault occurs now, and notes that in the log.
  mutating func meets(_ fault: Fault) -> Bool {
    guard settings.faults.occurs(fault) else { return false }
    met.append(fault)
    return true
  }

  /// Returns the seconds of a fault that is on.
  private mutating func seconds(_ fault: Fault) -> Int64 { meets(fault) ? settings.faults[fault] ?? 0 : 0 }

  /// Returns an answer in place of the endpoint's own, which then leaves codes and tokens as they are.
  mutating func answerInstead(
    _ request: HTTPServerRequest, at route: Route, with parameters: ParameterList
  ) throws(OAuthError) -> DemoAnswer? {
    switch route {
    case .token: try tokenAnswerInstead(grantType: parameters["grant_type"])
    case .authorize where meets(.pageEndlessRedirect): DemoAnswer(response: .redirect(to: request.target))
    case .openIDConfiguration, .serverMetadata: movedMetadata(request, at: route)
    default: nil
    }
  }

  private mutating func tokenAnswerInstead(grantType: String?) throws(OAuthError) -> DemoAnswer? {
    if meets(.connectionReset) { return .reset }
    if meets(.token500) { return DemoAnswer(response: .text("Internal Server Error", status: 500)) }
    if let answer = tooManyRequests() { return DemoAnswer(response: answer) }
    if meets(.tokenHTML) {
      return DemoAnswer(response: pages.message("Welcome to our network", "Please pay first."))
    }
    switch grantType {
    case "authorization_code" where meets(.codeUsed):
      throw OAuthError(.invalidGrant, "This code was used before.")
    case "refresh_token" where meets(.refreshDead):
      throw OAuthError(.invalidGrant, "This refresh token was revoked.")
    case Self.deviceGrant where meets(.slowDown):
      throw OAuthError(.slowDown, "Please ask five seconds less often.")
    case Self.deviceGrant where meets(.deviceExpired):
      throw OAuthError(.expiredToken, "The code has expired.")
    default: return nil
    }
  }

  /// Refuses requests until the time of the first Retry-After has passed, which ends the fault.
  private mutating func tooManyRequests() -> HTTPServerResponse? {
    guard let seconds = settings.faults[.token429] else { return nil }
    let now = clock.now()
    let end = openAgain ?? now.later(seconds)
    guard now < end else {
      settings.faults.remove(.token429)
      openAgain = nil
      return nil
    }
    openAgain = end
    met.append(.token429)
    return .text("Too Many Requests", status: 429).adding("Retry-After", "\(end.seconds(since: now))")
  }

  /// Sends clients to the same document at another name of this machine.
  private mutating func movedMetadata(_ request: HTTPServerRequest, at route: Route) -> DemoAnswer? {
    guard request[header: "Host"]?.hasPrefix("localhost") != true, meets(.metadataMoved) else { return nil }
    let place = "http://localhost:\(issuer.parts(at: ":").last ?? "")\(route.rawValue)"
    return DemoAnswer(response: HTTPServerResponse(status: 301, headers: [Parameter("Location", place)]))
  }

  /// Changes the endpoint's own answer on its way to the client.
  mutating func delivered(
    _ response: HTTPServerResponse, at route: Route, isRefresh: Bool
  ) -> DemoAnswer {
    switch route {
    case .token: deliveredToken(response, isRefresh: isRefresh)
    case .openIDConfiguration, .serverMetadata: DemoAnswer(response: response, delay: seconds(.metadataSlow))
    case .authorize where response.status == 200: DemoAnswer(response: spoiledPage(response))
    default: DemoAnswer(response: response)
    }
  }

  private mutating func deliveredToken(_ response: HTTPServerResponse, isRefresh: Bool) -> DemoAnswer {
    guard response.status == 200, var members = try? JSONReader.read(response.body).object else {
      return DemoAnswer(response: response)
    }
    if isRefresh, meets(.refreshLost) { return .reset }
    if meets(.noExpiry) { members["expires_in"] = nil }
    if meets(.expiresInText) { members["expires_in"] = .string("\(life)") }
    var changed = HTTPServerResponse.json(members)
    if meets(.bigAnswer) { changed.body += Array(repeating: UInt8(ascii: " "), count: 8 << 20) }
    let delay = max(seconds(.tokenSlow), isRefresh ? seconds(.refreshSlow) : 0)
    return DemoAnswer(response: changed, delay: delay)
  }

  private mutating func spoiledPage(_ page: HTTPServerResponse) -> HTTPServerResponse {
    if meets(.pageBlank) { return .html("<!DOCTYPE html>\n<title></title>\n") }
    return meets(.pageCSP) ? page.adding("Content-Security-Policy", "form-action 'none'") : page
  }
}
