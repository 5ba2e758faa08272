import GLibSupport
import GnuTLSCrypto
import LoginCore
import Platform
import SecretStore
import SignIn
import SoupNetwork
import WindowProtocol

/// One call of a client's method: what the engine needs from this process, and the wishes of the application.
@GLibActor
struct Call {
  private let client: OAuthClient
  let host: Host
  var options: SignInOptions
  var engine: SignIn { SignIn(host, options) }

  /// The user is asked only if the call `mayAsk`, and for the password of the keyring also if it `mayUnlock`.
  init(_ client: OAuthClient, mayAsk: Bool, mayUnlock: Bool = true, _ run: Run) throws(Failure) {
    self.client = client
    host = client.host(run, mayUnlock: mayUnlock)
    options = try client.options
    options.isSilent = !mayAsk
  }

  /// Returns the login that makes an account. With a user, the password in the options is theirs.
  func newLogin(
    _ account: String?, asking scope: String? = nil, ofUser user: String? = nil
  ) throws(Failure) -> NewLogin {
    var wanted = client.login
    wanted.scope = scope ?? wanted.scope
    if let user {
      wanted.grant = .password
      wanted.parameters.append("login_hint", user)
    }
    var login = NewLogin(.request(wanted, of: nil), by: engine)
    login.demand = demand
    login.account = try client.accountName(account)
    login.provider = wanted.provider.issuer?.description
    login.origins = try client.origins
    return login
  }

  private var demand: TokenDemand {
    var demand = TokenDemand()
    demand.waits = client.waitsForOthers
    if !client.assumesUnexpired { demand.assumesUnexpired = false }
    return demand
  }

  /// Returns the account of a new login.
  func signedIn(by login: NewLogin) async throws(Failure) -> Account {
    try await observed({ $0 }) { () async throws(Failure) in try await login.account() }
  }

  /// Tells the application the result of a step if the user was asked to sign in.
  private func observed<Value>(
    _ account: (Value) -> Account?, _ step: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    do throws(Failure) {
      let result = try await step()
      if host.run.hasAskedUser, let account = account(result) { client.onEvent(.signedIn(account)) }
      return result
    } catch {
      if host.run.hasAskedUser { client.onEvent(.failed(host.run.reasonOfEnd ?? error)) }
      throw error
    }
  }

  /// Returns the account with a good token, which is not the `refused` one. Refuses the account of another provider or client
  /// that is kept under the same name: its token is not for the servers of ``OAuthClient/allowedOrigins``.
  func kept(
    _ account: String?, insteadOf refused: TokenDemand.Refusal? = nil
  ) async throws(Failure) -> Account {
    let name = try client.accountName(account)
    if let found = try await host.store.find(name), found.fit(client.login) == .none {
      let owner = found.login.provider.issuer?.description ?? found.login.provider.name ?? ""
      throw Failure(
        .loginRequired,
        "the account \(name.description) is of another provider or client: \(owner, upTo: 200), \(found.login.clientID, upTo: 200)"
      )
    }
    let login = try newLogin(account)
    var demand = demand
    demand.refused = refused
    return try await observed({ $0 }) { [demand] () async throws(Failure) in
      try await engine.account(name, for: demand, orBy: login)
    }
  }

  /// Returns the account with another token, because an API has refused this one. nil if there is no remedy.
  func renewed(_ refused: Account, by remedy: Remedy) async throws(Failure) -> Account? {
    guard let token = refused.token.accessToken else { return nil }
    return try await observed({ $0 }) { () async throws(Failure) in
      try await engine.account(refused.name, insteadOf: token, by: remedy, for: demand)
    }
  }
}

extension OAuthClient {
  /// Runs a call under the deadline. Cancelling the task ends it.
  func call<Value: Sendable>(
    _ mayAsk: Bool = true, mayUnlock: Bool = true,
    _ body: @escaping @GLibActor @Sendable (Call) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let run = Run(inLastingProcess: true)
    return try await withTaskCancellationHandler { () async -> Result<Value, Failure> in
      await run.result(within: deadline?.fullSeconds ?? 0) { () async throws(Failure) in
        try await body(Call(self, mayAsk: mayAsk, mayUnlock: mayUnlock, run))
      }
    } onCancel: {
      GLibActor.task { run.end(with: .cancelled) }
    }.get()
  }

  /// The host of a sign-in: this process and its machine.
  @GLibActor
  fileprivate func host(_ run: Run, mayUnlock: Bool) -> Host {
    let environment = Environment()
    let requester = Requester(
      application: name, caller: environment.executable.map { RequestingProgram(.executable, $0) })
    // Other users can see the browser's arguments, so it gets an address on this machine that works once.
    let script = "IFS= read -r page; xdg-open \"$page\" || gio open \"$page\""
    var network = Connections.network(for: userAgent, with: clientCertificate, watching: watched)
    network.own = dependencies?.transport
    return Host(
      environment, network, store: .success(store(mayUnlock: mayUnlock)),
      cryptography: dependencies?.cryptography ?? GnuTLSCryptography(),
      clock: dependencies?.clock ?? SystemClock(), requester: { requester },
      windowPrograms: windowProgram.map { [$0] } ?? environment.installedWindowPrograms,
      desktopBrowser: ["/bin/sh", "-c", script], showsCodes: true, run, memory: memory
    ) { [onEvent] event in Event(event).map(onEvent) }
  }

  /// The store, which asks for the password of the keyring only if it `mayUnlock` that.
  private func store(mayUnlock: Bool) -> any CredentialStore {
    mayUnlock ? store : (store as? KeyringStore)?.silent ?? store
  }

  private var shownName: String { name ?? Dependencies.program ?? "LoginKit" }

  private var userAgent: String { Dependencies.userAgent(of: name ?? Dependencies.program) }

  /// Returns the transport. It logs the requests if the application wants a log.
  private func watched(_ transport: any HTTPTransport) -> any HTTPTransport {
    log.map { LoggingTransport(inner: transport, log: $0) } ?? transport
  }

  fileprivate var options: SignInOptions {
    get throws(Failure) {
      var options = SignInOptions()
      options.registration = NewClient(name: shownName)
      if let beforeRegistration {
        options.registration.prepare = { new throws(Failure) in
          var registration = Registration()
          try await beforeRegistration(&registration)
          (new.further, new.initialAccessToken) = (registration.metadata, registration.initialAccessToken)
        }
      }
      options.window.parent = parentWindow.flatMap { ParentWindow($0) }
      if let session {
        guard let cookies = CookieJarName(session) else {
          throw Failure(.invalidConfiguration, "the name of the session is too long")
        }
        options.cookies = cookies
      }
      switch way {
      case .own(let agent)?: options.user = .own(agent)
      case .headless(let form)?:
        if clientCertificate != nil, dependencies != nil { throw .certificateForOwnTransport }
        options.user = .form(form.parameters)
      case .browser?: options.way = .browser
      case .window?: options.way = .window
      case .paste?: options.way = .paste
      case .device?: options.way = .device
      case nil: options.way = session == nil ? nil : .window
      }
      return options
    }
  }
}

extension Failure {
  /// A certificate that no page would get.
  fileprivate static let certificateForOwnTransport = Failure(
    .invalidConfiguration,
    "the pages come through the application's own transport, which has to show the client certificate itself")
}

extension Duration {
  /// The seconds, rounded up, and at least one: zero would mean that there is no limit.
  fileprivate var fullSeconds: Int {
    max(1, Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0))
  }
}

/// The connections of all clients in this process that have the same name.
@GLibActor
private enum Connections {
  private static var shared: [String: Network] = [:]

  static func network(
    for userAgent: String, with certificate: [UInt8]?,
    watching: @escaping @Sendable (any HTTPTransport) -> any HTTPTransport
  ) -> Network {
    guard let certificate else {
      let network = shared[userAgent] ?? Network(userAgent: userAgent)
      shared[userAgent] = network
      return network.watched(by: watching)
    }
    let keeper = CertificateKeeper(
      [(nil, .file(name: CertificateFile.name(inPEM: certificate) ?? "PKCS#12", certificate))],
      refusal: .certificateNeedsUser(isSilent: false), tell: { _ in }, hide: { _ in }, ask: nil)
    return Network(userAgent: userAgent, keeper: keeper, watching: watching)
  }
}

extension Dependencies {
  /// The library's own network, cryptography and clock, for a session of LoginCore, or for a transport of your own that passes
  /// its requests on.
  public static var standard: Dependencies { shared }
  private static let shared = standard(timeout: nil)

  /// Returns dependencies with connections of their own.
  ///
  /// - Parameters:
  ///   - timeout: The seconds for an exchange with a provider, and for each byte of an API's answer: by default 30 and 60.
  ///   - authorities: The path of a file in PEM with the certificate authorities to trust in place of those of the system or
  ///     of the variable `SSL_CERT_FILE`.
  ///   - proxy: The address of a proxy, such as `http://proxy.example:3128`, in place of those of the system or of the
  ///     variable `https_proxy`. Requests to this machine use none.
  ///   - application: The name in the field `User-Agent`. By default it is that of the executable.
  public static func standard(
    timeout: Int? = nil, authorities: String? = nil, proxy: String? = nil, application: String? = nil
  ) -> Dependencies {
    GLibActor.beginOwnThread()
    let limits = SoupTransport.Limits(seconds: timeout ?? 30, patience: timeout ?? 60)
    let transport = OwnTransport { @GLibActor in
      SoupTransport(
        userAgent: userAgent(of: application ?? program), limits: limits, authorities: authorities,
        proxy: proxy)
    }
    return Dependencies(transport: transport, cryptography: GnuTLSCryptography(), clock: SystemClock())
  }

  /// The name of the executable.
  static var program: String? { Environment().executable?.parts(at: "/").last }

  /// Returns the field `User-Agent`, in which a name is a token (RFC 9110 section 10.1.5).
  static func userAgent(of application: String?) -> String {
    let name = (application ?? "").utf8.map { byte in
      byte.isLetter || byte.isDigit || "-._".utf8.contains(byte) ? byte : UInt8(ascii: "-")
    }
    return name.isEmpty ? "LoginKit" : "\(String(decoding: name, as: UTF8.self)) LoginKit"
  }
}

/// A transport that is made on the library's own thread.
@GLibActor
private final class OwnTransport: HTTPTransport {
  private let make: @GLibActor @Sendable () -> SoupTransport
  private lazy var transport = make()

  nonisolated init(_ make: @escaping @GLibActor @Sendable () -> SoupTransport) { self.make = make }

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    try await transport.send(request)
  }
}

/// Writes each request and its result to an application's log. The query of an address can be a secret.
private struct LoggingTransport: HTTPTransport {
  let inner: any HTTPTransport
  let log: @Sendable (String) -> Void

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let line = "\(request.method.rawValue) \(request.endpoint.description.splitOnce(at: "?").0)"
    do throws(Failure) {
      let answer = try await inner.send(request)
      log("\(line): \(answer.status)")
      return answer
    } catch {
      log("\(line): \(error)")
      throw error
    }
  }
}
