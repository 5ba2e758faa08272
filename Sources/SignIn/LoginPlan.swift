import LoginCore
import Platform
import WindowProtocol

/// The steps that a login would take, as far as they are known before the user is asked.
package struct LoginPlan: Sendable {
  /// The request, in the name of its client.
  package fileprivate(set) var login: LoginRequest
  package fileprivate(set) var client = Client.given
  /// The failure to read the kept clients. The login goes on without them.
  package fileprivate(set) var unreadClient: Failure?
  package fileprivate(set) var way = Course.none
  /// Why this way is taken.
  package fileprivate(set) var reason: Message = ""
  /// Why the metadata of the issuer cannot be read, without which a login fails.
  package fileprivate(set) var unreadMetadata: Failure?
  /// The address of the first request. nil if only the issuer knows it.
  package fileprivate(set) var url: String?
  /// The parameters of the first request, without secrets.
  package fileprivate(set) var parameters: [Parameter] = []

  /// The source of the client.
  package enum Client: String, Sendable {
    case given, document, kept, registration
  }

  /// The way to the user.
  package enum Course: Sendable {
    /// No user is asked, or no way to the user is open.
    case none
    /// A test, or the application's own agent, replaces the user.
    case headless
    case way(LoginWay)

    package var name: String {
      switch self {
      case .none: "none"
      case .headless: "headless"
      case .way(let way): way.rawValue
      }
    }
  }

  /// The identifier that stands for a client which would be registered. A provider wants to know the redirect URI before it
  /// makes a client.
  package static let standIn = "CLIENT_ID"

  /// True if the first request is pushed to the provider.
  package var isPushed: Bool {
    login.provider.pushesRequests && login.grant.usesAuthorizationEndpoint && !usesDevice
  }

  /// True if the first request asks for a code for another device.
  fileprivate var usesDevice: Bool {
    if case .way(.device) = way { true } else { login.provider.usesLoginFlow }
  }
}

extension SignIn {
  /// Returns the plan of a login. It asks no user, and no server but the issuer for its metadata.
  package func plan(for wanted: LoginRequest, isForAPI: Bool) async throws(Failure) -> LoginPlan {
    var plan = LoginPlan(login: wanted)
    do throws(Failure) {
      plan.login = try await wanted.completed(needing: [wanted.grant.firstEndpoint], through: host.transport)
    } catch {
      plan.unreadMetadata = error
    }
    try await plan.findClient(host, isForAPI: isForAPI)
    plan.login = try plan.login.withProofKey(host.cryptography).asked(in: host.environment.languages)
    (plan.way, plan.reason) = Router(host, options).way(of: plan.login)
    try plan.findFirstRequest(host.cryptography)
    return plan
  }
}

extension GrantType {
  /// The endpoint that a login asks first.
  fileprivate var firstEndpoint: EndpointName {
    usesAuthorizationEndpoint ? .authorization : self == .device ? .deviceAuthorization : .token
  }
}

extension Router {
  /// Returns the way of a login, and why it is taken.
  fileprivate func way(of login: LoginRequest) -> (LoginPlan.Course, Message) {
    let grant = login.grant
    if grant.usesAuthorizationEndpoint {
      if options.replacesWays { return (.headless, "a test was requested") }
      let choice = choice(question(for: login))
      return (choice.ways.first.map(LoginPlan.Course.way) ?? .none, choice.reason)
    }
    guard grant.asksUser else { return (.none, "the grant is \(grant.rawValue)") }
    if login.provider.usesLoginFlow {
      return (.way(wayOfLoginFlow), "the grant is \(grant.rawValue)")
    }
    let reason: Message =
      if !showsCodeInWindow {
        "the grant is \(grant.rawValue)"
      } else if host.environment.hasDisplay {
        "the grant is \(grant.rawValue), and a window shows the code"
      } else {
        "the grant is \(grant.rawValue), but there is no display for its window"
      }
    return (.way(.device), reason)
  }
}

extension LoginPlan {
  fileprivate mutating func findClient(_ host: Host, isForAPI: Bool) async throws(Failure) {
    guard login.clientID.isEmpty else {
      client = login.clientIsDocument ? .document : .given
      return
    }
    if login.mayRegister, let slot = ClientSlot(login.provider, login.redirectURI),
      let kept = try await keptClient(at: slot, host)
    {
      login = login.made(by: kept)
      login.redirectURI = kept.redirectURI ?? login.redirectURI
      client = .kept
      return
    }
    if isForAPI, login.provider.endpoints[.registration] == nil { throw login.provider.noClient }
    login.clientID = Self.standIn
    client = .registration
  }

  /// Returns the kept client that would be used. A store that cannot be read is no failure, because there may be no client
  /// in it.
  private mutating func keptClient(
    at slot: ClientSlot, _ host: Host
  ) async throws(Failure) -> RegisteredClient? {
    do throws(Failure) {
      let kept = try await host.store.client(at: slot)
      return kept.flatMap { $0.serves(login, at: host.clock.now()) ? $0 : nil }
    } catch {
      guard [.storeUnavailable, .storeLocked].contains(error.code) else { throw error }
      unreadClient = error
      return nil
    }
  }

  fileprivate mutating func findFirstRequest(_ cryptography: any Cryptography) throws(Failure) {
    do throws(Failure) {
      try findKnownRequest(of: login, cryptography)
    } catch {
      guard case .addEndpoint(let name)? = error.hint else { throw error }
      guard name == .authorization, let issuer = login.provider.issuer,
        let standIn = try? Endpoint(issuer.description)
      else { throw unreadMetadata ?? error }
      unreadMetadata = unreadMetadata ?? error
      var login = login
      login.provider.endpoints[.authorization] = standIn
      try findKnownRequest(of: login, cryptography)
      url = nil
    }
  }

  private mutating func findKnownRequest(
    of login: LoginRequest, _ cryptography: any Cryptography
  ) throws(Failure) {
    let request: HTTPRequest
    switch login.grant {
    case .clientCredentials:
      try login.validate(for: .clientCredentials)
      request = try TokenRequest(.clientCredentials, for: login).httpRequest
    case .password:
      guard let user = login.loginHint else { throw .noUser }
      request = try TokenRequest(.password(user: user, Password("")), for: login).httpRequest
    case .tokenExchange: request = try TokenRequest(.exchange(AccessToken("")), for: login).httpRequest
    case .code, .implicit, .device:
      guard usesDevice else {
        let request = try AuthorizationRequest(login, cryptography: cryptography)
        (url, parameters) = (request.url, request.parameters)
        return
      }
      request = try DeviceAuthorizationRequest(login).httpRequest
    }
    let form = ParameterList(form: request.body, upTo: Callback.maximumParameters)?.parameters ?? []
    url = request.endpoint.description
    parameters = form.filter { !["client_secret", "password", "subject_token"].contains($0.name) }
  }
}
