import GnuTLSCrypto
import LoginCore

extension CommandRun {
  /// `tokentry explain`: the request that `login` would send, without sending it and without secrets.
  func explain(_ settings: Settings) async throws(Failure) -> String {
    let login = try await withKeptClient(try LoginRequest(settings, catalog: catalog), settings)
      .withProofKey(GnuTLSCryptography())
    let (agent, reason) = chosenAgent(settings, login)
    let isForDevice = agent == Way.device.rawValue
    let request = try Self.firstRequest(of: login, isForDevice: isForDevice)
    let provider = login.provider
    // The page of a pushed request has a name in its address that only the provider can give.
    let isPushed = provider.pushesRequests && login.grant.usesAuthorizationEndpoint && !isForDevice
    var object: JSONObject = isPushed ? ["pushed": true] : ["url": .string(request.url)]
    object["agent"] = .string(agent)
    object["agent_reason"] = .string(reason)
    object["grant"] = login.grant.usesAuthorizationEndpoint ? nil : .string(login.grant.rawValue)
    object["parameters"] = .object(Self.object(request.parameters))
    object["provider"] = settings[.provider].map(JSONValue.string)
    object["issuer"] = provider.issuer.map { .string($0.description) }
    object["client_authentication"] = .string(login.clientAuthentication.rawValue)
    if login.grant.usesAuthorizationEndpoint { Self.explainCallback(of: login, in: &object) }
    for name in EndpointName.allCases {
      object[name.rawValue] = provider.endpoints[name].map { .string($0.description) }
    }
    object["headers"] = provider.headers.isEmpty ? nil : .array(provider.headers.map { .string($0.name) })
    object["timeout"] = .number(JSONNumber(Int64(settings.timeout)))
    return object.text + "\n"
  }

  /// A login without a client would have the provider make one, which this does not.
  private func withKeptClient(
    _ login: LoginRequest, _ settings: Settings
  ) async throws(Failure) -> LoginRequest {
    guard login.mayRegister, let place = ClientPlace(login.provider, login.redirectURI) else { return login }
    guard let client = try await credentialStore(settings, mayAsk: false).client(at: place) else {
      throw .caller(
        .invalidConfiguration(
          "there is no client identifier, and no client is kept for this provider",
          hint: "--client-id names one, and `tokentry register` has the provider make one"))
    }
    return login.made(by: client)
  }

  private func chosenAgent(_ settings: Settings, _ login: LoginRequest) -> (String, String) {
    if !login.grant.usesAuthorizationEndpoint {
      if !login.grant.asksUser { return ("none", "the grant is \(login.grant.rawValue)") }
      let window = hasDisplay ? ", and a window shows the code" : ", but there is no display for its window"
      return (
        Way.device.rawValue, "the grant is device" + (showsCodeInWindow(settings) ? window : "")
      )
    }
    if settings.has(.headlessTest) { return ("headless", "a test was asked for") }
    let choice = choice(settings, WayChoice.Question(settings, for: login))
    return ((choice.ways.first ?? choice.preferred).rawValue, choice.reason)
  }

  /// What is asked of the user agent, and where it comes back.
  private static func explainCallback(of login: LoginRequest, in object: inout JSONObject) {
    object["response_type"] = .string(login.responseType.description)
    object["response_mode"] = .string(login.effectiveResponseMode.rawValue)
    object["redirect_uris"] = .array(
      ([login.redirectURI] + login.redirectAliases).map { .string($0.description) })
    object["error_pages"] = .array(login.provider.errorPages.map { .string($0.description) })
  }

  /// Where the login begins, and with which parameters, without secrets.
  private static func firstRequest(
    of login: LoginRequest, isForDevice: Bool
  ) throws(Failure) -> (url: String, parameters: [Parameter]) {
    let request: HTTPRequest
    switch login.grant {
    case .clientCredentials: request = try TokenRequest(.clientCredentials, for: login).httpRequest
    case .password:
      let grant = TokenRequest.Grant.password(user: login.loginHint ?? "", Password(""))
      request = try TokenRequest(grant, for: login).httpRequest
    case .code, .implicit, .device:
      guard isForDevice else {
        let request = try AuthorizationRequest(login, cryptography: GnuTLSCryptography())
        return (request.url, request.parameters)
      }
      request = try DeviceAuthorizationRequest(login).httpRequest
    }
    let form = ParameterList(form: request.body, upTo: Callback.maximumParameters)?.parameters ?? []
    return (
      request.endpoint.description, form.filter { !["client_secret", "password"].contains($0.name) }
    )
  }

  /// Parameters as an object; `resource`, which may be there more than once, as an array then.
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
