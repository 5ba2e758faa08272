import GLibSupport
import Language
import LoginCore
import Platform
import SignIn
import WindowProtocol

/// `tokentry explain`: prints the request that `login` would send, without sending it and without secrets.
final class ExplainCommand: Action {
  private let run: Composition
  private let way: SignInOptions
  private let login: Login
  private let provider: String?
  private let timeout: Int
  private let application: String?
  private let isForReader: Bool

  private enum Login {
    case request(LoginRequest)
    /// An API, which is asked for the rest of the request.
    case resource(ResourceLogin)
  }

  /// The same as those of `login`, so that replacing one word explains any login.
  static let options = LoginCommand.options

  init(_ wishes: Wishes, _ run: Composition) throws(Failure) {
    self.run = run
    way = try SignInOptions(wishes, run)
    if let resource = try ResourceLogin(wishes, run) {
      login = .resource(resource)
    } else {
      login = .request(try LoginRequest(wishes, catalog: run.catalog))
    }
    provider = wishes.provider.preset
    timeout = wishes.asking.patience
    application = wishes.asking.application
    isForReader = wishes.answer.isForReader
  }

  func text() async throws(Failure) -> String {
    let (asked, found) = try await asked()
    let (made, client) = try await withClient(asked, found)
    let login = try made.withProofKey(run.cryptography).asked(in: run.environment.languages)
    let (way, reason) = chosenWay(login)
    let isForDevice = way == AgentKind.device.rawValue || login.provider.usesLoginFlow
    let request = try firstRequest(of: login, isForDevice: isForDevice)
    // After a pushed request, the URL contains a name that only the provider can give.
    let usesPage = login.grant.usesAuthorizationEndpoint
    let isPushed = login.provider.pushesRequests && usesPage && !isForDevice
    var object: JSONObject = [
      "pushed": isPushed ? true : nil, "url": isPushed ? nil : request.url.map(JSONValue.string),
      "way": .string(way), "way_reason": .string(reason.description),
      "grant": usesPage ? nil : .string(login.grant.rawValue),
      "parameters": .object(Self.object(request.parameters)),
      "application": application.map(JSONValue.string), "provider": provider.map(JSONValue.string),
      "issuer": login.provider.issuer.map { .string($0.description) },
      "client_authentication": .string(login.clientAuthentication.rawValue),
      "resource": found.map { .object($0.0.json(scopeFrom: $0.1, client: client)) },
    ]
    if usesPage { Self.explainCallback(of: login, in: &object) }
    for name in EndpointName.allCases {
      object[name.rawValue] = login.provider.endpoints[name].map { .string($0.description) }
    }
    let headers = login.provider.headers
    object["headers"] = headers.isEmpty ? nil : .array(headers.map { .string($0.name) })
    object["timeout"] = .number(JSONNumber(Int64(timeout)))
    return isForReader ? Self.table(object, .ofUser) : object.text + "\n"
  }

  /// Returns a table with a row for each member. The members of an object follow it in rows of their own.
  static func table(_ object: JSONObject, _ style: TerminalStyle) -> String {
    func rows(_ object: JSONObject, after indent: String) -> [[TerminalStyle.Cell]] {
      object.flatMap { member -> [[TerminalStyle.Cell]] in
        let name = TerminalStyle.Cell(indent + member.name.forDisplay(limit: 100), .bold)
        switch member.value {
        case .object(let object): return [[name]] + rows(object, after: indent + "  ")
        case .array(let values) where values.isEmpty: return []
        case .array(let values): return [[name, (values.map(\.words).joined(separator: " "), nil)]]
        case let value: return [[name, (value.words, nil)]]
        }
      }
    }
    return style.table(rows(object, after: ""))
  }

  /// The request. An API is asked for it, and each step is printed.
  private func asked() async throws(Failure) -> (LoginRequest, (FoundResource, FoundResource.ScopeSource)?) {
    switch login {
    case .request(let login): return (login, nil)
    case .resource(let resource):
      let (login, found, source) = try await resource.request()
      return (login, (found, source))
    }
  }

  /// Returns the request with its client. Without one, `login` would register one or fail. This command shows the request
  /// anyway, because a provider wants to know the redirect URI before it makes a client.
  private func withClient(
    _ login: LoginRequest, _ found: (FoundResource, FoundResource.ScopeSource)?
  ) async throws(Failure) -> (LoginRequest, ClientSource) {
    guard login.clientID.isEmpty else { return (login, login.clientIsDocument ? .document : .given) }
    var login = login
    if login.mayRegister, let slot = ClientSlot(login.provider, login.redirectURI),
      let client = try await keptClient(at: slot, for: login)
    {
      login = login.made(by: client)
      login.redirectURI = client.redirectURI ?? login.redirectURI
      return (login, .kept)
    }
    login.clientID = "CLIENT_ID"
    if found == nil {
      run.messages.tell("no client identifier was given, and \(login.clientID) stands for it")
    } else if login.provider.endpoints[.registration] == nil {
      throw login.provider.noClient
    }
    return (login, .registration)
  }

  /// Returns the kept client that would be used. A store that cannot be read is no failure, because there may be no client
  /// in it.
  private func keptClient(
    at slot: ClientSlot, for login: LoginRequest
  ) async throws(Failure) -> RegisteredClient? {
    do throws(Failure) {
      let kept = try await run.store.client(at: slot)
      return kept.flatMap { $0.serves(login, at: run.clock.now()) ? $0 : nil }
    } catch {
      guard [.storeUnavailable, .storeLocked].contains(error.code) else { throw error }
      run.messages.warning("\(error.message), so it is not known whether a client is kept")
      return nil
    }
  }

  @GLibActor
  private func chosenWay(_ login: LoginRequest) -> (String, Message) {
    let router = Router(run.host, way)
    let grant = login.grant
    if !grant.usesAuthorizationEndpoint {
      guard grant.asksUser else { return ("none", "the grant is \(grant.rawValue)") }
      if login.provider.usesLoginFlow {
        return (router.wayOfLoginFlow.rawValue, "the grant is \(grant.rawValue)")
      }
      let reason: Message =
        if !router.showsCodeInWindow {
          "the grant is \(grant.rawValue)"
        } else if run.environment.hasDisplay {
          "the grant is \(grant.rawValue), and a window shows the code"
        } else {
          "the grant is \(grant.rawValue), but there is no display for its window"
        }
      return (AgentKind.device.rawValue, reason)
    }
    if way.replacesAgents { return ("headless", "a test was requested") }
    let choice = router.choice(router.question(for: login))
    return ((choice.agents.first ?? choice.preferred).rawValue, choice.reason)
  }

  private static func explainCallback(of login: LoginRequest, in object: inout JSONObject) {
    object["response_type"] = .string(login.responseType.description)
    object["response_mode"] = .string(login.effectiveResponseMode.rawValue)
    object["redirect_uris"] = .array(
      ([login.redirectURI] + login.redirectAliases).map { .string($0.description) })
    object["error_pages"] = .array(login.provider.errorPages.map { .string($0.description) })
  }

  /// Returns the address and the parameters of the first request, without secrets. The address of a page is nil if only
  /// the issuer knows it.
  private func firstRequest(
    of login: LoginRequest, isForDevice: Bool
  ) throws(Failure) -> (url: String?, parameters: [Parameter]) {
    do throws(Failure) {
      return try knownRequest(of: login, isForDevice: isForDevice)
    } catch {
      guard let issuer = login.provider.issuer, case .addEndpoint(let name)? = error.hint else { throw error }
      let advice: Message =
        "`tokentry login` asks the provider for it, but `tokentry explain` does not: add \(name.flag)"
      guard name == .authorization, let standIn = try? Endpoint(issuer.description) else {
        throw error.with(hint: .text(advice))
      }
      run.messages.info(error.message)
      run.messages.info(advice)
      var login = login
      login.provider.endpoints[name] = standIn
      return (nil, try knownRequest(of: login, isForDevice: isForDevice).parameters)
    }
  }

  private func knownRequest(
    of login: LoginRequest, isForDevice: Bool
  ) throws(Failure) -> (url: String?, parameters: [Parameter]) {
    let request: HTTPRequest
    switch login.grant {
    case .clientCredentials:
      try login.validate(for: .clientCredentials)
      request = try TokenRequest(.clientCredentials, for: login).httpRequest
    case .password:
      guard let user = login.loginHint else { throw .noUser }
      let grant = TokenRequest.Grant.password(user: user, Password(""))
      request = try TokenRequest(grant, for: login).httpRequest
    case .tokenExchange: request = try TokenRequest(.exchange(AccessToken("")), for: login).httpRequest
    case .code, .implicit, .device:
      guard isForDevice else {
        let request = try AuthorizationRequest(login, cryptography: run.cryptography)
        return (request.url, request.parameters)
      }
      request = try DeviceAuthorizationRequest(login).httpRequest
    }
    let form = ParameterList(form: request.body, upTo: Callback.maximumParameters)?.parameters ?? []
    return (
      request.endpoint.description,
      form.filter { !["client_secret", "password", "subject_token"].contains($0.name) }
    )
  }

  /// The parameters as an object. A parameter that is repeated, such as `resource`, becomes an array.
  private static func object(_ parameters: [Parameter]) -> JSONObject {
    var object = JSONObject()
    for parameter in parameters {
      switch object[parameter.name] {
      case nil: object[parameter.name] = .string(parameter.value)
      case .array(let values): object[parameter.name] = .array(values + [.string(parameter.value)])
      case let value?: object[parameter.name] = .array([value, .string(parameter.value)])
      }
    }
    return object
  }
}

extension JSONValue {
  /// The value as people read it.
  fileprivate var words: String { (string ?? text).forDisplay(limit: 2_000) }
}

private enum ClientSource: String {
  case given, document, kept, registration
}

extension FoundResource {
  fileprivate func json(scopeFrom source: ScopeSource, client: ClientSource) -> JSONObject {
    [
      "address": .string(asked.description), "resource": .string(resource),
      "metadata": .string(metadata.description),
      "authorization_server_metadata": .string(serverMetadata.description),
      "scope_from": .string(source.rawValue), "client_from": .string(client.rawValue),
    ]
  }
}
