import GLibSupport
import LoginCore
import SignIn
import WindowProtocol

/// The pages that programs elsewhere have opened at home, and the logins that await an answer there.
@GLibActor
final class CarriedLogins: Sendable {
  private let host: Host
  /// The wishes for sign-ins at home.
  private let signIn: SignInOptions
  private let patience: Int
  /// True if pages are opened although the agent asks no questions.
  private let opensUnasked: Bool
  /// The last login at each port.
  private var logins: [UInt16: CarriedLogin] = [:]
  /// The logins whose programs have ended, the oldest first.
  private var abandoned: [CarriedLogin] = []

  /// The number of logins whose programs have ended, and whose browsers are still awaited.
  private static let mostAbandoned = 15

  /// Each login may take `patience` seconds.
  nonisolated init(_ host: Host, _ signIn: SignInOptions, patience: Int, opensUnasked: Bool) {
    (self.host, self.signIn, self.patience, self.opensUnasked) = (host, signIn, patience, opensUnasked)
  }

  /// Opens a page for a program elsewhere, once the person at home has allowed that. Returns the login if the program
  /// waits for an answer.
  func open(
    _ page: CarriedPage, for requester: AgentRequester, _ permissions: Permissions
  ) async throws(Failure) -> CarriedLogin? {
    if !opensUnasked, permissions.asksNever { throw .opensNoPages }
    // A page of this machine would be one of its own services, which the program must not reach.
    if page.isLocal, !signIn.replacesWays { throw .localPage }
    try checkPort(of: page)
    try await permissions.check(Permissions.Subject(requester, page), opening: page)
    if let other = logins[page.port], givesWay(other, to: page) { await other.end() }
    // Another login may have begun while the person read the question.
    try checkPort(of: page)
    let shown = Requester(application: requester.nameForUser, caller: host.requester.caller)
    guard let visit = page.visit else {
      let opener = Router(host, signIn).opener
      guard await opener.open(page.url) else { throw .browserFailed(command: opener.command) }
      return nil
    }
    let login = CarriedLogin(visit, at: host, for: shown, signIn, patience: patience)
    login.onAbandon = { [weak self, weak login] in if let login { self?.note(abandoned: login) } }
    logins = logins.filter { !$0.value.isOver }
    logins[page.port] = login
    try await login.open()
    return login
  }

  /// Ends the oldest of the abandoned logins if there are too many.
  private func note(abandoned login: CarriedLogin) {
    abandoned = abandoned.filter { !$0.isOver } + [login]
    for other in abandoned.dropLast(Self.mostAbandoned) { other.end(with: .programGone) }
  }

  /// Refuses a page whose answer would have to come to a port that is in use. A window needs no port.
  private func checkPort(of page: CarriedPage) throws(Failure) {
    guard let visit = page.visit, let other = logins[page.port], !other.isOver, !givesWay(other, to: page)
    else { return }
    let choice = Router(host, signIn).choice(try visit.question(signIn))
    if !choice.ways.contains(.window) { throw .awaited(at: page.port) }
  }

  /// True if a login has been abandoned, and the page's login may take its port. The user may still sign in on the old page
  /// in the browser. Without a state, the page's login would take that answer for its own.
  private func givesWay(_ other: CarriedLogin, to page: CarriedPage) -> Bool {
    other.isAbandoned && page.visit?.visit.state != nil
  }
}

/// A page that a program elsewhere wants the user to see, such as that of its own login.
struct CarriedPage: Sendable {
  let url: String
  /// The host, with a port if the address has one.
  let host: String
  /// True if the page is on the machine of the browser.
  let isLocal: Bool
  /// The visit that ends with the answer. nil for a page whose answer, if there is one, does not go to the program.
  let visit: PageVisit?
  /// The port at which the program waits for the answer, or 0.
  let port: UInt16
  /// The parts of the address that the user should know before the page opens.
  let wishes: [PermissionQuestion.Wish]

  /// Throws if the page cannot be opened, or if the program could not get its answer.
  init(_ url: String) throws(Failure) {
    let address = url.splitOnce(at: "#").0
    let page = try failing(WebAddress(address)) { (reason: Message) in
      Failure(.invalidOption, "the address of the page is \(reason)")
    }
    (self.url, host, isLocal) = (url, page.authority, page.zone == .machine)
    let query = address.splitOnce(at: "?").1 ?? ""
    guard let parameters = ParameterList(form: Array(query.utf8), upTo: Callback.maximumParameters) else {
      throw Failure(.invalidOption, "the address of the page has too many parameters")
    }
    wishes = parameters.wishes
    if parameters.repeats("redirect_uri") { throw Self.unusable("given twice") }
    guard let text = parameters["redirect_uri"] else {
      (visit, port) = (nil, 0)
      return
    }
    try Self.checkReading(of: parameters)
    let redirectURI = try failing(RedirectURI(parsing: text)) { (reason: Message) in Self.unusable(reason) }
    switch redirectURI.kind {
    case .loopback(_, let port?) where port >= Self.firstPort: self.port = port
    case .loopback: throw Self.unusable("an address with a port below 1024, or with none")
    case .privateScheme: throw Self.unusable("an address of a program, not of a port")
    case .page where (try? WebAddress(text))?.zone == .machine:
      throw Self.unusable("not an address at http://127.0.0.1, http://[::1] or http://localhost")
    case .page, .codePage:
      (visit, port) = (nil, 0)
      return
    }
    // Other protocols than OAuth have a redirect_uri as well, but no client_id.
    let end = PageVisit.End(redirectURI, isLogin: parameters["client_id"] != nil)
    let visit = try failing(PageVisit(to: url, until: end)) { (_: PageVisit.Flaw) in
      .defect()
    }
    if visit.responseMode == .fragment {
      throw Self.unusable(
        "an address to which the answer would come in the fragment, which programs cannot read")
    }
    self.visit = visit
  }

  /// The first port that a program of a user can have.
  private static let firstPort: UInt16 = 1_024

  /// Refuses parameters that the provider could read in another way than this program, and the user than both.
  private static func checkReading(of parameters: ParameterList) throws(Failure) {
    let single = ["response_type", "response_mode", "client_id", "scope", "prompt", "state"]
    for name in single where parameters.repeats(name) {
      throw Failure(.invalidConfiguration, "the address of the page has two values of \(name)")
    }
    if let type = parameters["response_type"], ResponseType(type) == nil { throw unknown("response_type") }
    if let mode = parameters["response_mode"], ResponseMode(rawValue: mode) == nil {
      throw unknown("response_mode")
    }
  }

  private static func unknown(_ name: String) -> Failure {
    Failure(.invalidConfiguration, "the address of the page has an unknown \(name)")
  }

  private static func unusable(_ reason: Message) -> Failure {
    Failure(.invalidConfiguration, "the page's redirect_uri is \(reason)")
  }
}

/// The login of a program elsewhere, whose page is open at home. The answer goes back to the program.
@GLibActor
final class CarriedLogin {
  private let time = Run()
  private let opened = FirstResult<Void, Failure>()
  private let arrived = FirstResult<String, Failure>()
  /// The end of the last step, which only the other side knows: its connection ends, or it says that the answer is lost.
  private let delivered = FirstResult<Void, Failure>()
  /// True once the program's connection has ended.
  private(set) var isAbandoned = false
  /// Called when the program's connection has ended and a browser is still awaited.
  var onAbandon: () -> Void = {}
  /// True once a browser opens the page, perhaps after a window.
  private var isInBrowser = false
  /// True once neither a page nor an answer is awaited.
  private(set) var isOver = false

  /// Opens the page. The login ends after `patience` seconds.
  init(
    _ visit: PageVisit, at host: Host, for requester: Requester, _ options: SignInOptions, patience: Int
  ) {
    let host = host.with(time, for: requester) { [weak self] event in
      GLibActor.task { self?.note(event) }
    }
    GLibActor.task { [time, opened, arrived] in
      let result = await time.result(within: patience) { () async throws(Failure) in
        try await SignIn(host, options).visit(visit) { callback throws(Failure) in
          if self.isAbandoned { throw .programGone }
          opened.finish(.success(()))
          // A fragment may be that of an earlier page, and programs never see one.
          arrived.finish(.success(try callback.text().splitOnce(at: "#").0))
          try await self.delivery()
        }
      }
      self.isOver = true
      if case .failure(let failure) = result { self.fail(failure) }
    }
  }

  private func note(_ event: SignInEvent) {
    switch event {
    case .opening: isInBrowser = true
    case .notOpened: isInBrowser = false
    case .opened, .page, .fault, .slow: opened.finish(.success(()))
    case .browserFailed(let failure): end(with: failure)
    case .address where !opened.isThere: end(with: .browserFailed(command: nil))
    default: break
    }
  }

  private func fail(_ failure: Failure) {
    opened.finish(.failure(failure))
    arrived.finish(.failure(failure))
  }

  /// Waits until the page is open.
  func open() async throws(Failure) { try await value(of: opened) }

  /// Waits for the answer, and returns the address that it came to.
  func callback() async throws(Failure) -> String { try await value(of: arrived) }

  /// The answer could not be taken to the program.
  func lose() { delivered.finish(.failure(.lostAnswer)) }

  /// Waits until the answer is with the program, as far as the other side says.
  private func delivery() async throws(Failure) {
    let limit = Source.after(Self.timeToDeliver) { self.delivered.finish(.success(())) }
    defer { withExtendedLifetime(limit) {} }
    try await delivered.result().get()
  }

  /// The user's browser shows the result after 5 seconds at most.
  private static let timeToDeliver = Duration.seconds(3)

  /// The program's connection has ended. A window closes and says so. A tab of a browser cannot be closed, so it gets that
  /// answer when it comes back.
  func abandon() {
    if isAbandoned || isOver { return }
    if arrived.isThere { return delivered.finish(.success(())) }
    isAbandoned = true
    guard isInBrowser, !time.hasSeenWindow else { return end(with: .programGone) }
    fail(.programGone)
    onAbandon()
  }

  /// Stops waiting for a browser. Returns once the port is free.
  func end() async {
    end(with: .programGone)
    while !isOver, (try? await pause(for: .milliseconds(20))) != nil {}
  }

  fileprivate func end(with failure: Failure) {
    fail(failure)
    time.end(with: failure, isExplained: true)
  }

  /// Returns a result. If its task is cancelled, the program has gone.
  private func value<Value: Sendable>(
    of result: FirstResult<Value, Failure>
  ) async throws(Failure) -> Value {
    try await withTaskCancellationHandler {
      await result.result()
    } onCancel: {
      GLibActor.task { self.abandon() }
    }.get()
  }
}

extension Failure {
  /// The program that waits for the answer to its login cannot be reached.
  fileprivate static let programGone = Failure(
    .cancelled, "the program has ended, or the connection to it broke", origin: .caller)

  fileprivate static let lostAnswer = Failure(
    .cancelled, "the answer could not be taken to the program that asked for the sign-in", origin: .caller)

  fileprivate static let opensNoPages = Failure(
    .noUserAgent, "the agent opens no pages, because it asks no questions",
    hint: "start it with --open, or without --ask never")

  fileprivate static let localPage = Failure(
    .invalidConfiguration,
    "the page is on the machine of the agent, whose own services are not for programs elsewhere")

  static let noPageIsOpen = malformed("no page is open")

  fileprivate static func awaited(at port: UInt16) -> Failure {
    Failure(
      .alreadyInProgress, "another sign-in waits for its answer at port \(Int(port))",
      hint: "finish that sign-in, or close its program")
  }
}
