import Testing

@testable import LoginCore

@Suite("Preset")
struct PresetTests {
  /// The members that a program may have for itself.
  private struct Own: MemberCoded {
    var hosts: [String] = []
    var user = "anyone"

    mutating func code(_ coder: inout MemberCoder) {
      coder.value("own_hosts", &hosts, else: [], .list(.host))
      coder.value("own_user", &user, else: "anyone", .text)
    }
  }

  private func preset(_ text: String) throws(JSONError) -> Preset {
    try Preset(Array(text.utf8), extra: ExtraMembers(of: Own.self))
  }

  /// Expects that a preset is refused, and returns the reason.
  private func error(_ text: String) -> JSONError? {
    #expect(throws: JSONError.self) { try preset(text) }
  }

  private static let vk = """
    {
      "name": "VK",
      "tested": "stand-in",
      "authorization_endpoint": "https://oauth.vk.com/authorize",
      "response_type": "token",
      "redirect_uri": "https://oauth.vk.com/blank.html",
      "redirect_aliases": ["https://oauth.vk.ru/blank.html"],
      "authorization_parameters": { "display": "page", "v": "5.52" },
      "token_type": "Bearer",
      "required_token_members": ["access_token", "user_id", "expires_in"],
      "error_pages": ["https://oauth.vk.com/error"]
    }
    """

  @Test("VK's preset becomes a provider")
  func vk() throws {
    let preset = try preset(Self.vk)
    #expect(preset.name == "VK")
    #expect(preset.tested == "stand-in")
    let provider = try preset.provider(variables: [:], clientID: "1")
    #expect(try provider.endpoints == [.authorization: Endpoint("https://oauth.vk.com/authorize")])
    #expect(provider.responseType == .token)
    #expect(try provider.redirectURI == RedirectURI("https://oauth.vk.com/blank.html"))
    #expect(try provider.redirectAliases == [RedirectURI("https://oauth.vk.ru/blank.html")])
    #expect(provider.authorizationParameters == [Parameter("display", "page"), Parameter("v", "5.52")])
    #expect(provider.requiredTokenMembers == ["access_token", "user_id", "expires_in"])
    #expect(try provider.errorPages == [ErrorPage("https://oauth.vk.com/error")])
  }

  @Test("Every member is read")
  func everyMember() throws {
    let preset = try preset(
      """
      {"$schema":"s","name":"n","notes":"n","source":"s","tested":"2026-11","issuer":"https://{t}.test",
       "authorization_endpoint":"https://{t}.test/a","token_endpoint":"https://{t}.test/t",
       "userinfo_endpoint":"https://{t}.test/u",
       "revocation_endpoint":"https://{t}.test/r","introspection_endpoint":"https://{t}.test/i",
       "registration_endpoint":"https://{t}.test/g",
       "end_session_endpoint":"https://{t}.test/e","device_authorization_endpoint":"https://{t}.test/d",
       "pushed_authorization_request_endpoint":"https://{t}.test/p","jwks_uri":"https://{t}.test/k",
       "authorization_response_iss_parameter_supported":true,"require_pushed_authorization_requests":false,
       "response_type":"code id_token","response_mode":"query","scope":"a {t}","grant":"code",
       "variables":{"t":"tenant"},
       "redirect_uri":"vk{client_id}://vk.ru/blank.html","redirect_aliases":["vk{client_id}://"],
       "authorization_parameters":{"x":"{t}/{client_id}"},"token_parameters":{"y":"z"},
       "headers":{"Accept":"application/json {t}"},
       "parameter_names":{"client_id":"client"},"client_authentication":"post","pkce":"plain",
       "token_request":"code-in-body",
       "token_type":"Bearer","callback_parameters":["device_id"],"token_state":"echoed",
       "required_token_members":["user_id"],
       "error_pages":["https://{t}.test/error"],"id_token":"opaque","userinfo_request":{"method":"POST",
       "members":["client_id"]},
       "logout_request":{"method":"POST","members":[]},"api_origins":["https://{t}.test"]}
      """)
    let provider = try preset.provider(variables: ["t": "acme"], clientID: "7")
    #expect(provider.endpoints.count == EndpointName.allCases.count)
    #expect(try provider.endpoints[.keySet] == Endpoint("https://acme.test/k"))
    #expect(try provider.issuer == Issuer("https://acme.test"))
    #expect(provider.sendsIssuer)
    #expect(provider.responseType == ResponseType("code id_token"))
    #expect(provider.responseMode == .query)
    #expect(provider.scope == "a acme")
    #expect(provider.redirectURI?.description == "vk7://vk.ru/blank.html")
    #expect(provider.redirectAliases.map(\.description) == ["vk7://"])
    #expect(provider.authorizationParameters == [Parameter("x", "acme/7")])
    #expect(provider.headers == [Parameter("Accept", "application/json acme")])
    #expect(provider.parameterNames == ["client_id": "client"])
    #expect(provider.clientAuthentication == .post)
    #expect(provider.pkce == .plain)
    #expect(provider.callbackParameters == ["device_id"])
    #expect(provider.errorPages.map(\.description) == ["https://acme.test/error"])
    #expect(provider.userinfoRequest.method == .post)
    #expect(provider.userinfoRequest.members == ["client_id"])
    #expect(provider.apiOrigins.map(\.description) == ["https://acme.test"])
    #expect(preset.tested == "2026-11")
  }

  @Test("The object stays as it is in the file")
  func json() throws {
    let text = "{\"scope\":\"b\",\"name\":\"\u{E9}\",\"authorization_endpoint\":\"https://h.test/a\"}"
    #expect(try preset(text).json.text == text)
    #expect(try preset("{}").json.isEmpty)
    #expect(try preset("{}").name == nil)
  }

  @Test("An unknown member is refused with its line and a similar name")
  func unknownMember() {
    let error = error("{\n  \"name\": \"x\",\n  \"scoep\": \"a\"\n}")
    #expect(error?.description == "line 3: unknown member \"scoep\", did you mean \"scope\"?")
    #expect(
      self.error("{\"NAME \": 1}")?.message == "unknown member \"NAME\", did you mean \"name\"?")
    #expect(
      self.error("{\"own_host\": 1}")?.message
        == "unknown member \"own_host\", did you mean \"own_hosts\"?")
  }

  @Test("The members of a program are filled in and kept with the provider")
  func extraMembers() throws {
    let preset = try preset(
      #"{"variables":{"server":"s"},"own_user":"me","own_hosts":["{server}","git.{server}"],"name":"n"}"#)
    let provider = try preset.provider(variables: ["server": "acme.test"], clientID: "1")
    let expected: JSONObject = ["own_hosts": ["acme.test", "git.acme.test"], "own_user": "me"]
    #expect(provider.extra == expected)
    let again = try Provider(strict: provider.json)
    #expect(again.extra == expected && again.json == provider.json)
    #expect(Own(lenient: again.extra)?.hosts == ["acme.test", "git.acme.test"])
    #expect(try self.preset(#"{"own_user":"anyone"}"#).provider(variables: [:], clientID: "1").extra.isEmpty)
  }

  @Test("Without members of its own, a program can read every preset, and only misspelt members are refused")
  func skippedMembers() throws {
    let text = #"{"own_hosts":["{server}"],"own_user":1,"scope":"a"}"#
    let provider = try Preset(Array(text.utf8)).provider(variables: [:], clientID: "1")
    #expect(provider.scope == "a" && provider.extra.isEmpty)
    expectFailure(
      Failure(.invalidConfiguration, "line 2: unknown member \"scoep\", did you mean \"scope\"?")
    ) {
      _ = try Preset(Array("{\n\"scoep\":\"a\"}".utf8))
    }
  }

  @Test("Kept members that are wrong or unknown are left out when a program reads them")
  func keptMembers() throws {
    let own = try #require(Own(lenient: ["own_hosts": "h.test", "own_user": "{me}", "later": 1]))
    #expect(own.hosts.isEmpty && own.user == "{me}")
  }

  @Test(
    "An unknown member without a similar name gets no suggestion",
    arguments: ["client_secret", "x-foo", "", "日本"])
  func unknownMemberFar(name: String) {
    let error = error("{\n\n\"\(name)\": 1}")
    #expect(error == JSONError(message: "unknown member \"\(name)\"", line: 3))
  }

  @Test(
    "A value of the wrong kind is refused with its line",
    arguments: [
      "\"name\": 1", "\"name\": null", "\"tested\": true",
      "\"authorization_endpoint\": []", "\"issuer\": {}", "\"scope\": [\"a\"]",
      "\"redirect_aliases\": \"https://h.test/\"", "\"redirect_aliases\": [1]", "\"error_pages\": [[]]",
      "\"variables\": []", "\"variables\": {\"a\": 1}",
      "\"authorization_parameters\": {\"a\": 1}", "\"headers\": {\"a\": null}",
      "\"parameter_names\": [\"a\"]", "\"callback_parameters\": {\"a\": \"b\"}",
      "\"response_type\": \"password\"", "\"response_type\": []", "\"response_mode\": \"body\"",
      "\"pkce\": \"s256\"", "\"pkce\": true", "\"grant\": \"magic\"",
      "\"client_authentication\": \"Basic\"", "\"token_request\": \"xml\"", "\"token_state\": \"none\"",
      "\"id_token\": \"none\"", "\"own_hosts\": \"h.test\"", "\"own_hosts\": [1]",
      "\"own_hosts\": [\"{nobody}\"]", "\"own_user\": null", "\"logout_request\": {\"method\": \"PUT\"}",
      "\"logout_request\": {\"members\": \"a\"}", "\"userinfo_request\": {\"url\": \"x\"}",
      "\"userinfo_request\": \"POST\"", "\"token_type\": 1", "\"$schema\": {}",
    ])
  func wrongKind(member: String) {
    #expect(error("{\n\"notes\": \"n\",\n\n\(member)\n,\"source\":\"s\"}")?.line == 4)
  }

  @Test("An error inside an object names its own line")
  func lineInside() {
    #expect(error("{\"authorization_parameters\": {\n\"a\": \"b\",\n\"c\": 1\n}}")?.line == 3)
    #expect(error("{\"logout_request\": {\n\"members\": [],\n\n\"method\": \"PUT\"}}")?.line == 4)
  }

  @Test(
    "An invalid address is refused with its line",
    arguments: [
      "\"authorization_endpoint\": \"http://h.test/\"", "\"token_endpoint\": \"h.test\"",
      "\"jwks_uri\": \"https://h.test/#x\"", "\"issuer\": \"https://h.test/?x\"",
      "\"redirect_uri\": \"javascript:alert(1)\"", "\"redirect_uri\": \"http://h.test/cb\"",
      "\"redirect_aliases\": [\"https://h.test/\", \"x\"]",
      "\"error_pages\": [\"data:x\"]", "\"revocation_endpoint\": \"https://h.test:1/\"",
      "\"authorization_endpoint\": \"https://user@h.test/\"",
      "\"authorization_endpoint\": \"\"", "\"redirect_uri\": \"https://{nobody}/cb\"",
      "\"authorization_endpoint\": \"https://h.test/{tenant}\"",
      "\"redirect_aliases\": [\"https://h.test/{x}\"]", "\"issuer\": \"https://127.1\"",
      "\"api_origins\": [\"https://h.test/api\"]",
    ])
  func wrongAddress(member: String) {
    #expect(error("{\n\"notes\": \"n\",\n\n\(member)}")?.line == 4)
  }

  @Test(
    "A preset cannot set reserved parameters and header fields",
    arguments: [
      "\"authorization_parameters\": {\n\"state\": \"x\"}",
      "\"token_parameters\": {\n\"client_secret\": \"x\"}",
      "\"headers\": {\n\"authorization\": \"x\"}", "\"headers\": {\n\"a b\": \"x\"}",
      "\"headers\": {\n\"a\": \"x\\r\\ny: z\"}",
    ])
  func reservedNames(member: String) {
    #expect(error("{\n\(member)}")?.line == 3)
  }

  @Test("The implicit grant means the response type token unless another one is named")
  func implicitGrant() throws {
    let implicit = try preset(#"{"grant":"implicit"}"#).provider(variables: [:], clientID: "1")
    #expect(implicit.responseType == .token)
    let named = try preset(#"{"grant":"implicit","response_type":"id_token token"}"#)
    #expect(try named.provider(variables: [:], clientID: "1").responseType == ResponseType("id_token token"))
    #expect(try preset("{}").provider(variables: [:], clientID: "1").responseType == .code)
  }

  @Test("A repeated member is refused")
  func duplicates() {
    #expect(error("{\"name\": \"a\",\n\"n\\u0061me\": \"a\"}")?.line == 2)
    #expect(error("{\"headers\": {\"a\": \"b\",\n\n\"a\": \"b\"}}")?.line == 3)
  }

  @Test(
    "A file that is not a JSON object is refused",
    arguments: ["", "[]", "null", "\"{}\"", "{", "{}{}", "{'name':'x'}", "\u{FEFF}{}", "// c\n{}"])
  func noObject(text: String) {
    #expect(error(text)?.line == 1)
  }

  @Test("A file of 256 KiB is read, one byte more is refused")
  func size() throws {
    let limit = 256 * 1_024
    let largest = "{}" + String(repeating: " ", count: limit - 2)
    #expect(throws: Never.self) { try preset(largest) }
    #expect(error(largest + " ")?.line == 1)
  }
}
