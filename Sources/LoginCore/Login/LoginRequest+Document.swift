/// The request in the document of a kept account: without its provider, and without values of a single run.
extension LoginRequest {
  /// The request with its client secret.
  var json: JSONObject {
    let aliases = JSONValue.array(redirectAliases.map { .string($0.description) })
    // An array, since a name may be there more than once.
    let parameters = JSONValue.array(parameters.map { [.string($0.name), .string($0.value)] })
    return [
      "client_id": .string(clientID), "client_secret": clientSecret.map { .string($0.revealed()) },
      "client_key": clientKey.map { .string($0.revealed()) },
      "client_authentication": givenAuthentication.map { .string($0.rawValue) },
      "redirect_uri": .string(redirectURI.description), "redirect_aliases": aliases == [] ? nil : aliases,
      "grant": grant == .code ? nil : .string(grant.rawValue),
      "response_type": .string(responseType.description),
      "response_mode": responseMode.map { .string($0.rawValue) }, "scope": scope.map(JSONValue.string),
      "parameters": parameters == [] ? nil : parameters, "without_state": omitsState ? true : nil,
      "client_id_in_body": namesClient ? true : nil,
    ]
  }

  private static let members = [
    "client_id", "client_secret", "client_key", "client_authentication", "redirect_uri", "redirect_aliases",
    "grant", "response_type", "response_mode", "scope", "parameters", "without_state",
    "client_id_in_body",
  ]

  /// Reads ``json``. Throws the name of a member that is wrong. An unknown member is refused, too: the request might
  /// mean something else without it.
  init(json: JSONObject, to provider: Provider) throws(Message) {
    for member in json where !Self.members.contains(where: member.name.isIdentical) {
      throw Self.wrong(member.name.forDisplay(limit: 60))
    }
    func value<Value>(_ name: String, _ parse: (String) -> Value?) throws(Message) -> Value? {
      guard let member = json[name] else { return nil }
      guard let value = member.string.flatMap(parse) else { throw Self.wrong(name) }
      return value
    }
    func needed<Value>(_ name: String, _ parse: (String) -> Value?) throws(Message) -> Value {
      guard let value = try value(name, parse) else { throw Self.wrong(name) }
      return value
    }
    func flag(_ name: String) throws(Message) -> Bool {
      guard let flag = (json[name] ?? false).bool else { throw Self.wrong(name) }
      return flag
    }
    func elements<Element>(_ name: String, _ read: (JSONValue) -> Element?) throws(Message) -> [Element] {
      guard let value = json[name] else { return [] }
      let elements = value.array?.compactMap(read)
      guard let elements, elements.count == value.array?.count else { throw Self.wrong(name) }
      return elements
    }

    self.init(
      provider: provider, clientID: try needed("client_id") { $0 },
      clientSecret: try value("client_secret") { ClientSecret($0) },
      redirectURI: try needed("redirect_uri") { try? RedirectURI($0) })
    clientKey = try value("client_key") { ClientKey($0) }
    givenAuthentication = try value("client_authentication", ClientAuthentication.init)
    responseType = try needed("response_type", ResponseType.init)
    grant = try value("grant", GrantType.init) ?? .code
    responseMode = try value("response_mode", ResponseMode.init)
    scope = try value("scope") { $0 }
    redirectAliases = try elements("redirect_aliases") { value in
      value.string.flatMap { try? RedirectURI($0) }
    }
    parameters = try elements("parameters") { value in
      guard let pair = value.array, pair.count == 2, let name = pair[0].string, let text = pair[1].string
      else { return nil }
      return Parameter(name, text)
    }
    omitsState = try flag("without_state")
    namesClient = try flag("client_id_in_body")
  }

  private static func wrong(_ name: String) -> Message {
    let member = "request.\(name)"
    return "\(member) is missing or wrong"
  }
}
