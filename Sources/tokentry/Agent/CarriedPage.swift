import LoginCore
import SignIn

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
    let redirects = parameters.parameters.filter { $0.name == "redirect_uri" }
    guard let text = redirects.first?.value else {
      (visit, port) = (nil, 0)
      return
    }
    let redirectURI = try failing(RedirectURI(text)) { (reason: Message) in Self.unusable(reason) }
    switch redirectURI.kind {
    case _ where redirects.count > 1: throw Self.unusable("given twice")
    case .loopback(_, let port?) where port >= Self.firstPort: self.port = port
    case .loopback: throw Self.unusable("an address with a port below 1024, or with none")
    case .privateScheme: throw Self.unusable("an address of a program, not of a port")
    case .page where (try? WebAddress(text))?.zone == .machine:
      throw Self.unusable("not an address at http://127.0.0.1, http://[::1] or http://localhost")
    case .page, .codePage:
      (visit, port) = (nil, 0)
      return
    }
    let visit = try failing(PageVisit(to: url, until: PageVisit.End(redirectURI))) { (_: PageVisit.Flaw) in
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

  private static func unusable(_ reason: Message) -> Failure {
    Failure(.invalidConfiguration, "the page's redirect_uri is \(reason)")
  }
}

extension Failure {
  static let opensNoPages = Failure(
    .noUserAgent, "the agent opens no pages, because it asks no questions",
    hint: "start it with --open, or without --ask never")

  static let localPage = Failure(
    .invalidConfiguration,
    "the page is on the machine of the agent, whose own services are not for programs elsewhere")

  static let noPageIsOpen = malformed("no page is open")

  static func awaited(at port: UInt16) -> Failure {
    Failure(
      .alreadyInProgress, "another sign-in waits for its answer at port \(Int(port))",
      hint: "finish that sign-in, or close its program")
  }
}
