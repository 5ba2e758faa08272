import LoginCore
import SignIn

/// A request of a program to the agent.
enum AgentRequest: Sendable {
  case token(TokenWish, TokenOptions)
  case accounts
  case userinfo(AccountName)
  case proof(AccountName, ResourceRequest, nonce: String?)
  case login(LoginDescription)

  enum Kind: String, CaseIterable {
    case token, accounts, userinfo, proof, login

    static let names = allCases.map(\.rawValue)
  }

  /// The request in a few words.
  var summary: String {
    switch self {
    case .accounts: "accounts"
    case .token(let wish, _):
      "token " + [wish.account?.description, wish.address?.shown].compactMap(\.self).joined(separator: ", ")
    case .userinfo(let name): "userinfo \(name)"
    case .proof(let name, let request, _): "proof \(name), \(request)"
    case .login(let login):
      "login \([login.account.description, login.servers].compactMap(\.self).joined(separator: ", "))"
    }
  }

  /// The conditions that a program adds to its wish for a token.
  struct TokenOptions: Sendable {
    var minimumValidity: Int64 = 60
    var isSilent = false
    /// A token that was refused, and that must not be given again.
    var rejected: AccessToken?
  }

  /// A line of a program: the request in it, or the reason why it cannot be read.
  struct Line: Sendable {
    /// The program's own mark, which comes back with the answer.
    let id: JSONValue?
    private let parsed: Result<AgentRequest, Failure>

    init(_ line: [UInt8]) {
      let object: JSONObject
      do throws(Failure) {
        object = try JSONReader.members(of: line, maximumSize: AgentLink.maximumLine) {
          Failure.malformed("a request is one JSON object in a line: \($0.message)")
        }
      } catch {
        (id, parsed) = (nil, .failure(error))
        return
      }
      let mark = object["id"]
      let isMark = if case .string? = mark { true } else if case .number? = mark { true } else { mark == nil }
      id = isMark ? mark : nil
      do throws(Failure) {
        if !isMark { throw .malformed("id is neither text nor a number") }
        parsed = .success(try AgentRequest(object))
      } catch {
        parsed = .failure(error)
      }
    }

    func request() throws(Failure) -> AgentRequest { try parsed.get() }
  }

  private init(_ object: JSONObject) throws(Failure) {
    let requests = object.filter { $0.name != "id" }
    guard requests.count == 1, let request = requests.first, let kind = Kind(rawValue: request.name) else {
      let kinds = Kind.names.verbatim.list
      throw .malformed("a request has one of these members: \(kinds)")
    }
    guard let values = request.value.object else { throw .malformed("\(kind.rawValue) is not an object") }
    var members = Members(values, of: kind.rawValue)
    self = try Self.read(kind, &members)
    try members.end()
  }

  private static func read(_ kind: Kind, _ members: inout Members) throws(Failure) -> AgentRequest {
    switch kind {
    case .accounts: return .accounts
    case .userinfo: return .userinfo(try members.requiredAccount())
    case .login: return .login(try LoginDescription(&members))
    case .token:
      var wish = TokenWish(try members.account(), try members.address())
      if wish.account == nil, wish.address == nil { throw .malformed("token has neither account nor url") }
      wish.user = try members.text("user")
      // A later version may have other helpers, which the general rules serve as well.
      wish.helper = try members.text("helper").flatMap(HelperProtocols.named)
      wish.needsIdentity = try members.flag("id_token")
      return .token(
        wish,
        TokenOptions(
          minimumValidity: try members.seconds("min_valid") ?? 60, isSilent: try members.flag("silent"),
          rejected: try members.text("rejected").map { AccessToken($0) }))
    case .proof:
      let name = try members.requiredAccount()
      guard let method = try members.text("method"), let url = try members.text("url") else {
        throw .malformed("proof needs method and url")
      }
      let nonce = try members.text("nonce")
      return .proof(name, try ResourceRequest(method, try Endpoint.given(url)), nonce: nonce)
    }
  }

  /// The members of a request. Each is read once; the rest are unknown.
  struct Members {
    private var values: JSONObject
    private let request: String

    fileprivate init(_ values: JSONObject, of request: String) {
      (self.values, self.request) = (values, request)
    }

    private mutating func take<Value>(
      _ name: String, _ type: Message, _ read: (JSONValue) -> Value?
    ) throws(Failure) -> Value? {
      guard let value = values[name] else { return nil }
      values[name] = nil
      guard let result = read(value) else { throw .malformed("\(name) is not \(type)") }
      return result
    }

    mutating func text(_ name: String) throws(Failure) -> String? {
      try take(name, "a text without control characters") {
        $0.string.flatMap { $0.unicodeScalars.contains(where: \.isControl) ? nil : $0 }
      }
    }

    mutating func texts(_ name: String) throws(Failure) -> [String] {
      try take(name, "a list of texts") { value in
        let list = value.array ?? [value]
        let texts = list.compactMap(\.string)
        return texts.count == list.count ? texts : nil
      } ?? []
    }

    mutating func flag(_ name: String) throws(Failure) -> Bool {
      try take(name, "true or false", \.bool) ?? false
    }

    mutating func seconds(_ name: String) throws(Failure) -> Int64? {
      try take(name, "a number of seconds") { value in
        value.truncated.flatMap { (0...Int64(Int32.max)).contains($0) ? $0 : nil }
      }
    }

    mutating func account() throws(Failure) -> AccountName? {
      try take("account", "the name of an account") { $0.string.flatMap { AccountName($0) } }
    }

    mutating func requiredAccount() throws(Failure) -> AccountName {
      guard let name = try account() else { throw .malformed("\(request) needs account") }
      return name
    }

    fileprivate mutating func address() throws(Failure) -> TokenWish.Address? {
      guard let url = try text("url") else { return nil }
      let address = TokenWish.Address(url: url)
      if address.destinations.isEmpty { throw .malformed("url is not a URL of an API") }
      return address
    }

    fileprivate func end() throws(Failure) {
      if let unknown = values.first {
        throw .malformed("\(request) has no member \"\(unknown.name, upTo: 60)\"")
      }
    }
  }
}

/// A program's wish that the person at home signs in.
extension LoginDescription {
  fileprivate init(_ members: inout AgentRequest.Members) throws(Failure) {
    self.init(try members.requiredAccount())
    (resource, provider) = (try members.text("resource"), try members.text("provider"))
    (issuer, clientID, scope) =
      (try members.text("issuer"), try members.text("client_id"), try members.text("scope"))
    origins = try members.texts("for")
    // A path would let the other side read files of this machine.
    if let provider, provider.contains("/") || provider.contains(".") {
      throw .malformed("provider is not the name of a preset")
    }
  }

  var json: JSONObject {
    [
      "account": .string(account.description), "resource": resource.map(JSONValue.string),
      "provider": provider.map(JSONValue.string), "issuer": issuer.map(JSONValue.string),
      "client_id": clientID.map(JSONValue.string), "scope": scope.map(JSONValue.string),
      "for": origins.isEmpty ? nil : .array(origins.map(JSONValue.string)),
    ]
  }

  /// The servers that the account will be for, as the question shows them.
  var servers: String? { origins.isEmpty ? nil : origins.joined(separator: ", ") }
}

extension Failure {
  /// The program does not keep to the protocol.
  static func malformed(_ reason: Message) -> Failure {
    Failure(.invalidOption, "the request to the agent cannot be read: \(reason)")
  }
}
