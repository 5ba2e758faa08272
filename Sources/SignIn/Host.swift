import GLibSupport
import Glibc
import GnuTLSCrypto
import LoginCore
import Platform
import SoupNetwork
import WindowProtocol

/// The things that every sign-in gets from this process and this machine.
package final class Host: Sendable {
  package let environment: Environment
  /// Requests to the provider and to APIs.
  package let network: Network
  package let cryptography: any Cryptography
  /// The cryptography whose random values are secrets of a sign-in.
  private let secrets: any Cryptography
  package let clock: any WallClock
  /// The paths at which the window's program may be.
  package let windowPrograms: [String]
  /// The command that reads an address from its input and opens it in the desktop's browser.
  package let desktopBrowser: [String]
  /// The command that the desktop starts with the answer to a private scheme. nil if this program cannot take it.
  package let callbackTaker: [String]?
  /// True if the front end itself shows ``SignInEvent/code(_:_:)`` to the user.
  package let showsCodes: Bool
  /// The time that is left, and what is going on.
  package let run: Run
  /// The memory of a program that asks the same servers again and again.
  package let memory: ServerMemory?
  /// Returns the report of a failure to the other programs that wait for the same account.
  package let report: @Sendable (Failure) -> JSONObject
  private let asking: @Sendable () -> Requester
  private let chosenStore: Result<any CredentialStore, Failure>
  private let sink: @Sendable (SignInEvent) -> Void

  package init(
    _ environment: Environment, _ network: Network, store: Result<any CredentialStore, Failure>,
    cryptography: any Cryptography, secrets: (any Cryptography)? = nil, clock: any WallClock,
    requester: @escaping @Sendable () -> Requester, windowPrograms: [String],
    desktopBrowser: [String], callbackTaker: [String]? = nil, showsCodes: Bool = false, _ run: Run,
    memory: ServerMemory? = nil,
    report: @escaping @Sendable (Failure) -> JSONObject = { $0.report },
    tell: @escaping @Sendable (SignInEvent) -> Void
  ) {
    (self.environment, self.network, chosenStore) = (environment, network, store)
    (self.cryptography, self.secrets) = (cryptography, secrets ?? cryptography)
    (self.clock, asking) = (clock, requester)
    (self.windowPrograms, self.desktopBrowser) = (windowPrograms, desktopBrowser)
    (self.callbackTaker, self.showsCodes, self.run) = (callbackTaker, showsCodes, run)
    (self.memory, self.report, sink) = (memory, report, tell)
  }

  /// The application that the user signs in for. To find it out takes time, so this is done only for a sign-in.
  package var requester: Requester { asking() }

  /// Tells the front end what has happened.
  package func tell(_ event: SignInEvent) {
    // The front end may compare the event with the last one of its kind.
    sink(event)
    run.note(event)
  }

  /// The store for accounts and clients. Each wait for one of its locks is told to the run.
  package var store: any CredentialStore {
    get throws(Failure) { WatchedStore(try chosenStore.get(), of: self) }
  }

  /// Runs `lock`, which waits while another program or task uses an account. The front end hears of a wait that takes
  /// longer than a refresh.
  @GLibActor
  func awaiting<Lock: Sendable>(
    _ lock: @Sendable () async throws(Failure) -> Lock
  ) async throws(Failure) -> Lock {
    run.isAccountInUse = true
    let notice = Source.after(.seconds(2)) { [sink] in sink(.accountInUse) }
    defer {
      withExtendedLifetime(notice) {}
      run.isAccountInUse = false
    }
    return try await lock()
  }

  package var dependencies: Dependencies {
    var all = Dependencies(transport: transport, cryptography: secrets, clock: clock) { [run] refresh in
      GLibActor.task { await run.keeping(refresh) }
    }
    all.memory = memory
    all.onUnreadableLifetime = { [self] in tell(.lifetimeUnread) }
    return all
  }

  /// The transport to the provider.
  package var transport: any HTTPTransport {
    let provider = network.provider
    return WaitingTransport(
      inner: memory.map { RememberingTransport(provider, $0, clock: clock) } ?? provider, run: run)
  }

  /// Returns the host for a run of its own, whose user signs in for another application. Its events are not told by default.
  package func with(
    _ run: Run, for requester: Requester, tell: @escaping @Sendable (SignInEvent) -> Void = { _ in }
  ) -> Host {
    copy(network, requester: { requester }, run, memory: memory, tell: tell)
  }

  /// Returns the host for a part of a long run.
  package func with(_ run: Run, memory: ServerMemory?) -> Host {
    copy(network, requester: asking, run, memory: memory, tell: sink)
  }

  /// Returns a host that trusts one more certificate.
  @GLibActor
  package func trusting(_ certificate: TrustedCertificate, of host: String) -> Host {
    copy(network.trusting(certificate, of: host), requester: asking, run, memory: memory, tell: sink)
  }

  private func copy(
    _ network: Network, requester: @escaping @Sendable () -> Requester, _ run: Run, memory: ServerMemory?,
    tell: @escaping @Sendable (SignInEvent) -> Void
  ) -> Host {
    Host(
      environment, network, store: chosenStore, cryptography: cryptography, secrets: secrets, clock: clock,
      requester: requester, windowPrograms: windowPrograms, desktopBrowser: desktopBrowser,
      callbackTaker: callbackTaker, showsCodes: showsCodes, run, memory: memory, report: report, tell: tell)
  }
}

/// The connections of this process, and what they show to servers.
package struct Network: Sendable {
  private let userAgent: String
  /// The certificates that the caller trusts, by host.
  private let trusted: [String: TrustedCertificate]
  /// The client certificates.
  package let keeper: CertificateKeeper?
  /// The origins that may ask for a Kerberos ticket.
  package let negotiating: [String]
  /// Our own transport.
  package let apis: SoupTransport
  private let watching: @Sendable (any HTTPTransport) -> any HTTPTransport
  /// The application's own transport, which gets all requests.
  package var own: (any HTTPTransport)?

  /// `watching` returns a transport that also looks at requests and answers, such as to hide their secrets in messages.
  @GLibActor
  package init(
    userAgent: String, trusted: [String: TrustedCertificate] = [:], keeper: CertificateKeeper? = nil,
    negotiating: [String] = [],
    watching: @escaping @Sendable (any HTTPTransport) -> any HTTPTransport = { $0 }
  ) {
    (self.userAgent, self.trusted, self.keeper, self.negotiating) = (userAgent, trusted, keeper, negotiating)
    self.watching = watching
    apis = SoupTransport(userAgent: userAgent, trusted: trusted)
    (apis.identity, apis.negotiating) = (keeper, Set(negotiating))
  }

  /// The certificates that the caller trusts, as the window reads them.
  var trustedTexts: [String: String] { trusted.mapValues(\.text) }

  /// The certificate of a host that the caller trusts.
  package func trusted(for host: String) -> TrustedCertificate? { trusted[host] }

  /// Gets ready for a request to the provider once this process has nothing else to do. An application's own transport does
  /// not need it.
  @GLibActor
  func prepare(for endpoint: Endpoint) {
    if own == nil { GLibActor.whenIdle { [apis] in apis.prepare(for: endpoint) } }
  }

  /// The transport to the provider, with the watch on requests and answers.
  fileprivate var provider: any HTTPTransport { watching(own ?? apis) }

  /// Returns a transport with cookies of its own.
  @GLibActor
  package func pages() -> CookieTransport { CookieTransport(own ?? apis) }

  /// Returns the transport with the watch on requests and answers, and on the time.
  package func watched(_ transport: any HTTPTransport, _ run: Run) -> any HTTPTransport {
    WaitingTransport(inner: watching(transport), run: run)
  }

  /// Sends an application's own request, and returns when the head of the answer has arrived. It fails if no byte has moved
  /// for `patience` seconds. The application's own transport returns the whole answer, and has its own limits.
  @GLibActor
  func answer(
    to request: ResourceRequest, _ body: RequestBody?, patience: Int
  ) async throws(Failure) -> any ResourceAnswer {
    guard let own else { return try await apis.stream(request, body, patience: patience) }
    guard case .bytes(let bytes) = body ?? .bytes([]) else { throw .defect() }
    return WholeAnswer(try await own.send(HTTPRequest(request, body: bytes)))
  }

  /// Returns the same connections with another watch.
  package func watched(
    by watching: @escaping @Sendable (any HTTPTransport) -> any HTTPTransport
  ) -> Network {
    Network(self, watching)
  }

  private init(_ other: Network, _ watching: @escaping @Sendable (any HTTPTransport) -> any HTTPTransport) {
    (userAgent, trusted, keeper) = (other.userAgent, other.trusted, other.keeper)
    (negotiating, apis, self.watching, own) = (other.negotiating, other.apis, watching, other.own)
  }

  @GLibActor
  fileprivate func trusting(_ certificate: TrustedCertificate, of host: String) -> Network {
    var network = Network(
      userAgent: userAgent, trusted: trusted.merging([host: certificate]) { $1 }, keeper: keeper,
      negotiating: negotiating, watching: watching)
    network.own = own
    return network
  }
}

/// Tells a run which server has not answered yet.
private struct WaitingTransport: HTTPTransport {
  let inner: any HTTPTransport
  let run: Run

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    try await run.waiting(for: request.endpoint.host) { () async throws(Failure) in
      try await inner.send(request)
    }
  }
}
