/// The request in the document of a kept account: without its provider, and without values of a single run.
extension LoginRequest: MemberNaming {
  /// Reads ``json``, which has the client secret. An unknown member is refused, too: the request might mean something else without it.
  init(json: JSONObject, to provider: Provider, at path: [String] = []) throws(MemberRefusal) {
    var coder = MemberCoder(reading: json, at: path)
    let redirectURI = try coder.needed("redirect_uri", .address(RedirectURI.init(parsing:)))
    self.init(provider: provider, clientID: "", redirectURI: redirectURI)
    code(&coder)
    try coder.finish()
  }

  package mutating func code(_ coder: inout MemberCoder) {
    coder.required("client_id", &clientID, .text)
    coder.value("client_secret", &clientSecret, .secret())
    coder.value("client_key", &clientKey, .secret())
    coder.value("client_authentication", &givenAuthentication, .choice())
    coder.required("redirect_uri", &redirectURI, .address(RedirectURI.init(parsing:)))
    coder.value("redirect_aliases", &redirectAliases, else: [], .list(.address(RedirectURI.init(parsing:))))
    coder.value("grant", &grant, else: .code, .choice())
    coder.required("response_type", &responseType, .parsed(ResponseType.init))
    coder.value("response_mode", &responseMode, .choice())
    coder.text("scope", &scope)
    coder.value("parameters", &parameters, else: [], .list(.pair))
    coder.flag("without_state", &omitsState)
    coder.flag("client_id_in_body", &namesClient)
  }
}

extension MemberValue where Value == Parameter {
  /// An array of name and value, since a name may be there more than once.
  static var pair: Self {
    Self(.list(.text), of: \.strings, { [.string($0.name), .string($0.value)] }) {
      (pair, place) throws(MemberRefusal) in
      if pair.count == 2 { return Parameter(pair[0], pair[1]) } else { throw place.isWrong }
    }
  }
}
