/// A request as a kept account holds it, without its provider and without the values of a single run.
extension LoginRequest {
  /// The request, its client secret included.
  var json: JSONObject {
    let aliases = JSONValue.array(redirectAliases.map { .string($0.description) })
    // An array, since a name may be there more than once.
    let parameters = JSONValue.array(parameters.map { [.string($0.name), .string($0.value)] })
    return [
      "client_id": .string(clientID), "client_secret": clientSecret.map { .string($0.revealed()) },
      "client_authentication": .string(clientAuthentication.rawValue),
      "redirect_uri": .string(redirectURI.description), "redirect_aliases": aliases == [] ? nil : aliases,
      "grant": grant == .code ? nil : .string(grant.rawValue),
      "response_type": .string(responseType.description),
      "response_mode": responseMode.map { .string($0.rawValue) }, "scope": scope.map(JSONValue.string),
      "parameters": parameters == [] ? nil : parameters, "without_state": omitsState ? true : nil,
      "client_id_in_body": namesClient ? true : nil,
    ]
  }

  /// Reads what ``json`` wrote. A member that is wrong is named; one that is not known is refused, since nobody
  /// can say what a request without it would mean.
  init(json: JSONObject, to provider: Provider) throws(AccountFault) {
    for member in json where !Self.members.contains(where: member.name.isIdentical) {
      throw .member("request.\(member.name.forDisplay(limit: 60))")
    }
    func value<Value>(_ name: String, _ parse: (String) -> Value?) throws(AccountFault) -> Value? {
      guard let member = json[name] else { return nil }
      guard let value = member.string.flatMap(parse) else { throw .member("request.\(name)") }
      return value
    }
    func needed<Value>(_ name: String, _ parse: (String) -> Value?) throws(AccountFault) -> Value {
      guard let value = try value(name, parse) else { throw .member("request.\(name)") }
      return value
    }
    self.init(
      provider: provider, clientID: try needed("client_id") { $0 },
      clientSecret: try value("client_secret") { ClientSecret($0) },
      redirectURI: try needed("redirect_uri") { try? RedirectURI($0) })
    clientAuthentication = try needed("client_authentication", ClientAuthentication.init)
    responseType = try needed("response_type", ResponseType.init)
    grant = try value("grant", GrantType.init) ?? .code
    responseMode = try value("response_mode", ResponseMode.init)
    scope = try value("scope") { $0 }
    redirectAliases = try Self.elements("redirect_aliases", in: json) { value in
      value.string.flatMap { try? RedirectURI($0) }
    }
    parameters = try Self.elements("parameters", in: json) { value in
      guard let pair = value.array, pair.count == 2, let name = pair[0].string, let text = pair[1].string
      else { return nil }
      return Parameter(name, text)
    }
    omitsState = try Self.flag("without_state", in: json)
    namesClient = try Self.flag("client_id_in_body", in: json)
  }

  private static func flag(_ name: String, in json: JSONObject) throws(AccountFault) -> Bool {
    guard let flag = (json[name] ?? false).bool else { throw .member("request.\(name)") }
    return flag
  }

  private static let members = [
    "client_id", "client_secret", "client_authentication", "redirect_uri", "redirect_aliases",
    "grant", "response_type", "response_mode", "scope", "parameters", "without_state",
    "client_id_in_body",
  ]

  private static func elements<Element>(
    _ name: String, in json: JSONObject, _ read: (JSONValue) -> Element?
  ) throws(AccountFault) -> [Element] {
    guard let value = json[name] else { return [] }
    let elements = value.array?.compactMap(read)
    guard let elements, elements.count == value.array?.count else { throw .member("request.\(name)") }
    return elements
  }
}
