import LoginCore
import SignIn
import WindowProtocol

/// A request of a program to the agent.
enum AgentRequest: Sendable {
  case token(Token)
  case accounts
  case userinfo(AccountName)
  case proof(Proof)
  case login(LoginDescription)
  /// Opens the page at this address for the user.
  case open(String)
  /// Waits for the answer to the page's login, or says that it could not be taken to the program.
  case callback(isLost: Bool)

  enum Kind: String, CaseIterable {
    case token, accounts, userinfo, proof, login, open, callback

    static let names = allCases.map(\.rawValue)
  }

  /// The request in a few words.
  var summary: String {
    switch self {
    case .accounts: "accounts"
    case .token(let token):
      "token " + [token.account?.description, token.url].compactMap(\.self).joined(separator: ", ")
    case .userinfo(let name): "userinfo \(name)"
    case .proof(let proof): "proof \(proof.account), \(proof.method) \(proof.url)"
    case .open(let url): "open \(PageAddress(url).host)"
    case .callback(let isLost): isLost ? "callback lost" : "callback"
    case .login(let login):
      "login \([login.account.description, login.servers].compactMap(\.self).joined(separator: ", "))"
    }
  }

  /// The members of a request for a token.
  struct Token: MemberCoded {
    var account: AccountName?
    var url: String?
    var user: String?
    /// The name of the asking helper. A later version may have other helpers, which the general rules serve as well.
    var helper: String?
    var minimumValidity: Int64 = 60
    var isSilent = false
    var needsIdentity = false
    /// A token that was refused, and that must not be given again.
    var rejected: AccessToken?

    mutating func code(_ coder: inout MemberCoder) {
      coder.value("account", &account, .account)
      coder.value("url", &url, .line)
      coder.value("user", &user, .line)
      coder.value("helper", &helper, .line)
      coder.value("min_valid", &minimumValidity, else: 60, .number(in: 0...Int64(Int32.max)))
      coder.flag("silent", &isSilent)
      coder.flag("id_token", &needsIdentity)
      coder.value("rejected", &rejected, .secret())
    }

    func wish() throws(Failure) -> TokenWish {
      let address = url.map(TokenWish.Address.init(url:))
      if account == nil, address == nil { throw .malformed("token has neither account nor url") }
      if let address, address.destinations.isEmpty { throw .malformed("url is not a URL of an API") }
      var wish = TokenWish(account, address)
      (wish.user, wish.needsIdentity) = (user, needsIdentity)
      wish.helper = helper.flatMap(HelperProtocols.named)
      return wish
    }
  }

  /// The members of a request for a proof.
  struct Proof: MemberNaming {
    var account: AccountName
    var method = ""
    var url = ""
    var nonce: String?

    init(account: AccountName) { self.account = account }

    mutating func code(_ coder: inout MemberCoder) {
      coder.required("account", &account, .account)
      coder.required("method", &method, .line)
      coder.required("url", &url, .line)
      coder.value("nonce", &nonce, .line)
    }

    func request() throws(Failure) -> ResourceRequest { try ResourceRequest(method, try Endpoint.given(url)) }
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
    var coder = MemberCoder(reading: values, at: [kind.rawValue])
    self = try failing(Self.read(kind, &coder)) { (refusal: MemberRefusal) in .malformed(refusal.reason) }
  }

  private static func read(_ kind: Kind, _ coder: inout MemberCoder) throws(MemberRefusal) -> AgentRequest {
    let request: AgentRequest
    switch kind {
    case .accounts: request = .accounts
    case .userinfo: request = .userinfo(try coder.needed("account", .account))
    case .login:
      var login = LoginDescription(try coder.needed("account", .account))
      login.code(&coder)
      request = .login(login)
    case .token:
      var token = Token()
      token.code(&coder)
      request = .token(token)
    case .open:
      var url = ""
      coder.required("url", &url, .line)
      request = .open(url)
    case .callback:
      var isLost = false
      coder.flag("lost", &isLost)
      request = .callback(isLost: isLost)
    case .proof:
      var proof = Proof(account: try coder.needed("account", .account))
      proof.code(&coder)
      request = .proof(proof)
    }
    try coder.finish()
    return request
  }
}

extension MemberValue where Value == AccountName {
  fileprivate static var account: Self { .parsed { AccountName($0) } }
}

/// A program's wish that the person at home signs in.
extension LoginDescription: MemberNaming {
  mutating func code(_ coder: inout MemberCoder) {
    coder.required("account", &account, .account)
    coder.value("resource", &resource, .line)
    // A path would let the other side read files of this machine.
    coder.value(
      "provider", &provider,
      .parsed({ !$0.contains("/") && !$0.contains(".") ? $0 : nil }) { _ in
        "provider is not the name of a preset"
      })
    coder.value("issuer", &issuer, .line)
    coder.value("client_id", &clientID, .line)
    coder.value("scope", &scope, .line)
    coder.texts("for", &origins)
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
