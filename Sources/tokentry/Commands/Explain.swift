import GnuTLSCrypto
import LoginCore

extension CommandRun {
  /// `tokentry explain`: the request that `login` would send, without sending it and without secrets.
  func explain(_ settings: Settings) throws(Failure) -> String {
    let login = try LoginRequest(settings, catalog: catalog).withProofKey(GnuTLSCryptography())
    let request = try AuthorizationRequest(login, cryptography: GnuTLSCryptography())
    let provider = login.provider
    // The page of a pushed request has a name in its address that only the provider can give.
    var object: JSONObject = provider.pushesRequests ? ["pushed": true] : ["url": .string(request.url)]
    let (agent, reason) = chosenAgent(settings, login)
    object["agent"] = .string(agent)
    object["agent_reason"] = .string(reason)
    object["parameters"] = .object(Self.object(request.parameters))
    object["provider"] = settings[.provider].map(JSONValue.string)
    object["issuer"] = provider.issuer.map { .string($0.description) }
    object["client_authentication"] = .string(login.clientAuthentication.rawValue)
    object["response_type"] = .string(login.responseType.description)
    object["response_mode"] = .string(login.effectiveResponseMode.rawValue)
    object["redirect_uris"] = .array(
      ([login.redirectURI] + login.redirectAliases).map { .string($0.description) })
    object["error_pages"] = .array(provider.errorPages.map { .string($0.description) })
    for name in EndpointName.allCases {
      object[name.rawValue] = provider.endpoints[name].map { .string($0.description) }
    }
    object["headers"] = provider.headers.isEmpty ? nil : .array(provider.headers.map { .string($0.name) })
    object["timeout"] = .number(JSONNumber(Int64(settings.timeout)))
    return object.text + "\n"
  }

  private func chosenAgent(_ settings: Settings, _ login: LoginRequest) -> (String, String) {
    if settings.has(.headlessTest) { return ("headless", "a test was asked for") }
    let choice = choice(settings, WayChoice.Question(settings, for: login))
    return ((choice.ways.first ?? choice.preferred).rawValue, choice.reason)
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
