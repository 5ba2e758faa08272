import GLibSupport
import Language
import LoginCore
import Platform
import SignIn
import WindowProtocol

/// `tokentry explain`: prints the request that `login` would send, without sending it and without secrets. Only the metadata
/// of an issuer are read.
final class ExplainCommand: Action {
  private let shared: Composition
  private let options: SignInOptions
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

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    self.shared = shared
    options = try SignInOptions(wishes, shared)
    if let resource = try ResourceLogin(wishes, shared) {
      login = .resource(resource)
    } else {
      login = .request(try LoginRequest(wishes, catalog: shared.catalog))
    }
    provider = wishes.provider.preset
    timeout = wishes.asking.patience
    application = wishes.asking.application
    isForReader = wishes.answer.isForReader
  }

  func text() async throws(Failure) -> String {
    let (asked, found) = try await asked()
    let plan = try await SignIn(shared.host, options).plan(for: asked, isForAPI: found != nil)
    if let failure = plan.unreadClient {
      shared.messages.warning("\(failure.message), so it is not known whether a client is kept")
    }
    if plan.client == .registration, found == nil {
      shared.messages.tell("no client identifier was given, and \(LoginPlan.standIn) stands for it")
    }
    if let failure = plan.unreadMetadata {
      shared.messages.warning("\(failure.message), so the address of the first request is not known")
    }
    let login = plan.login
    let usesPage = login.grant.usesAuthorizationEndpoint
    var object: JSONObject = [
      // After a pushed request, the URL contains a name that only the provider can give.
      "pushed": plan.isPushed ? true : nil, "url": plan.isPushed ? nil : plan.url.map(JSONValue.string),
      "way": .string(plan.way.name), "way_reason": .string(plan.reason.description),
      "grant": usesPage ? nil : .string(login.grant.rawValue),
      "parameters": .object(Self.object(plan.parameters)),
      "application": application.map(JSONValue.string), "provider": provider.map(JSONValue.string),
      "issuer": login.provider.issuer.map { .string($0.description) },
      "client_authentication": .string(login.clientAuthentication.rawValue),
      "resource": found.map { .object($0.0.json(scopeFrom: $0.1, client: plan.client)) },
    ]
    if usesPage { Self.explainCallback(of: login, in: &object) }
    for name in EndpointName.allCases {
      object[name.rawValue] = login.provider.endpoints[name].map { .string($0.description) }
    }
    let headers = login.provider.headers
    object["headers"] = headers.isEmpty ? nil : .array(headers.map { .string($0.name) })
    object["timeout"] = .number(JSONNumber(Int64(timeout)))
    return isForReader ? Self.table(object, .ofTable) : object.text + "\n"
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

  private static func explainCallback(of login: LoginRequest, in object: inout JSONObject) {
    object["response_type"] = .string(login.responseType.description)
    object["response_mode"] = .string(login.effectiveResponseMode.rawValue)
    object["redirect_uris"] = .array(
      ([login.redirectURI] + login.redirectAliases).map { .string($0.description) })
    object["error_pages"] = .array(login.provider.errorPages.map { .string($0.description) })
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

extension FoundResource {
  fileprivate func json(scopeFrom source: ScopeSource, client: LoginPlan.Client) -> JSONObject {
    [
      "address": .string(asked.description), "resource": .string(resource),
      "metadata": .string(metadata.description),
      "authorization_server_metadata": .string(serverMetadata.description),
      "scope_from": .string(source.rawValue), "client_from": .string(client.rawValue),
    ]
  }
}
