import GLibSupport
import HTMLForms
import Language
import LoginCore

/// Replaces a web view and its user in tests: opens the page, follows redirects, asks the policy about every hop, and
/// fills in forms with given values. It runs no scripts.
package struct HeadlessAgent: UserAgent {
  private let transport: any HTTPTransport
  private let readCookies: CookieReader
  private let values: [Parameter]
  private let observe: @Sendable (_ uri: String, _ decision: String) -> Void

  private static let maximumRedirects = 20
  /// The limit of pages with forms.
  private static let maximumPages = 10

  /// Returns the cookies that would be sent to an address or, `onAnyPath`, to any address of its host.
  typealias CookieReader = @GLibActor @Sendable (_ address: String, _ onAnyPath: Bool) -> [Parameter]

  /// Fills `values` into the form fields with their names, and calls `observe` for each hop. The transport keeps cookies, by
  /// which providers recognise the user on the next page.
  init(
    _ transport: any HTTPTransport, cookies: @escaping CookieReader, values: [Parameter],
    observe: @escaping @Sendable (_ uri: String, _ decision: String) -> Void
  ) {
    (self.transport, readCookies) = (transport, cookies)
    (self.values, self.observe) = (values, observe)
  }

  @GLibActor
  package func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    var trail = Trail(at: PageRequest(url: visit.url, form: visit.form))
    while true {
      let uri = trail.uri
      let decision = visit.policy.decision(for: Array(uri.utf8))
      observe(uri, decision.name)
      switch decision {
      case .callback(let callback): return .callback(callback)
      case .errorPage(let uri): return .errorPage(uri: uri, body: try await load(trail.request).body)
      case .ignore: throw .loginRequired(page: uri)
      case .allow:
        let page = try await load(trail.request)
        if let callback = callback(at: trail.uri, page, in: visit) { return .callback(callback) }
        try await follow(page, &trail, of: visit)
      }
    }
  }

  /// Returns the callback if the visit ends with this page. A redirect is no page, and its cookies alone may end it.
  @GLibActor
  private func callback(at uri: String, _ page: HTTPResponse, in visit: Visit) -> Callback? {
    guard let final = visit.finalPage, final.accepts(Array(uri.utf8)) else { return nil }
    let isRedirect = (300..<400).contains(page.status) && page.location != nil
    if final.uri != nil, isRedirect { return nil }
    let cookies = readCookies(final.uri == nil ? visit.url : uri, final.uri == nil)
    let values = final.values(cookies: cookies, headers: page.headers)
    // An error page is not the final one.
    guard final.isWhole(values) || final.uri != nil && page.status < 400 else { return nil }
    return final.callback(at: uri, values)
  }

  package func dismiss() async {}

  private func load(_ request: PageRequest) async throws(Failure) -> HTTPResponse {
    let endpoint = try failing(Endpoint(parsing: request.url)) { (reason: Message) in
      Failure(.badResponse, "a page leads to \"\(Redaction.address(request.url))\", which is \(reason)")
    }
    let html = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
    return try await transport.send(
      request.form.map { HTTPRequest(post: $0, to: endpoint, accepting: html, headers: request.headers) }
        ?? HTTPRequest(get: endpoint, accepting: html, headers: request.headers))
  }

  /// Follows the redirect of the page, or sends its form.
  private func follow(_ page: HTTPResponse, _ trail: inout Trail, of visit: Visit) async throws(Failure) {
    if (300..<400).contains(page.status), let location = page.location {
      guard trail.redirects < Self.maximumRedirects else {
        throw Failure(
          .badResponse, "the provider redirected more than \(Self.maximumRedirects) times")
      }
      let keepsForm = page.status == 307 || page.status == 308
      return try trail.redirect(to: location, keepsForm: keepsForm, hidesPage: page.hidesItself)
    }
    // A page may take long to parse; the main loop must still see the deadline and signals.
    let html = await inBackground { HTMLPage(page.body) }
    var isRepeated = false
    for form in html.forms {
      guard let submission = form.submission(of: values) else { continue }
      guard trail.pages < Self.maximumPages else {
        throw Failure(
          .badResponse, "the provider showed more than \(Self.maximumPages) pages with forms")
      }
      // A provider that shows a form again has refused the values.
      let policy = FormPolicy(page.policies + html.policies)
      let hidesPage = html.hidesItself ?? page.hidesItself
      if try trail.submit(submission, base: html.base, policy, hidesPage: hidesPage) { return }
      isRepeated = true
      break
    }
    throw UnansweredPage(
      uri: trail.uri, status: page.status, body: page.body, html: html,
      isAnswer: trail.pages > 0 && !trail.isBack(at: visit.url), isRepeated: isRepeated
    ).failure
  }
}

/// The page of a headless login, and the pages before it.
private struct Trail {
  private var target: PageRequest
  private var referrer = Referrer()
  private(set) var redirects = 0
  private(set) var pages = 0
  /// A redirect without a fragment inherits that of the page before it (RFC 9110 section 10.2.2).
  private var fragment: String?
  private var sent: [PageRequest] = []

  init(at request: PageRequest) {
    let (page, fragment) = request.url.splitOnce(at: "#")
    target = PageRequest(url: page, form: request.form)
    self.fragment = fragment
  }

  /// The request for the page.
  var request: PageRequest {
    PageRequest(
      url: target.url, form: target.form, headers: referrer.headers(isPost: target.form != nil))
  }

  /// The address with its fragment.
  var uri: String { target.url + (fragment.map { "#\($0)" } ?? "") }

  /// True if the page has the address `first`, apart from the parameters, and is not the answer to a form.
  func isBack(at first: String) -> Bool {
    target.form == nil && target.url.splitOnce(at: "?").0 == first.splitOnce(at: "?").0
  }

  mutating func redirect(to location: String, keepsForm: Bool, hidesPage: Bool) throws(Failure) {
    redirects += 1
    let (page, fragment) = try absolute(location, base: target.url).splitOnce(at: "#")
    if let fragment { self.fragment = fragment }
    target = PageRequest(url: page, form: keepsForm ? target.form : nil)
    referrer.lead(to: page)
    if hidesPage { referrer.hide() }
  }

  /// Returns false if the same request has been sent before, or the same credentials to the same address: a form that asks
  /// for them again has refused them, and more tries could lock the user out.
  mutating func submit(
    _ form: HTMLForm.Submission, base: String?, _ policy: FormPolicy, hidesPage: Bool
  ) throws(Failure) -> Bool {
    // A form without an address is sent to the page, even if the page names a base (HTML Standard section 4.10.21.3).
    let isToPage = form.action.isEmpty
    let page = target.url
    let action =
      isToPage ? page : try absolute(form.action, base: self.base(base)).splitOnce(at: "#").0
    guard policy.allows(action, on: page) else {
      throw Failure(
        .badResponse, "the page's own policy forbids to send its form to \(Redaction.address(action))")
    }
    let next =
      form.isPost
      ? PageRequest(url: action, form: form.parameters)
      : PageRequest(url: action.splitOnce(at: "?").0 + "?" + FormEncoding.encode(form.parameters))
    let credentials = PageRequest(url: action.splitOnce(at: "?").0, form: form.credentials)
    if sent.contains(next) || !form.credentials.isEmpty && sent.contains(credentials) { return false }
    sent += [next, credentials]
    pages += 1
    referrer = hidesPage ? Referrer() : Referrer(page: page)
    referrer.lead(to: next.url)
    target = next
    fragment = nil
    return true
  }

  /// Returns the base of the page's relative addresses (HTML Standard section 4.2.3).
  private func base(_ named: String?) throws(Failure) -> String {
    guard let named else { return target.url }
    let scheme = named.asReference.splitOnce(at: ":").0.lowercased()
    if ["data", "javascript"].contains(scheme) { return target.url }
    return try absolute(named, base: target.url)
  }

  private func absolute(_ reference: String, base: String) throws(Failure) -> String {
    let reference = reference.asReference
    if reference.isEmpty { return base }
    guard reference.isReadAlike, let target = resolve(reference, against: base) else {
      throw Failure(.badResponse, "a page leads to something that is not a URL")
    }
    return target
  }
}

extension String {
  /// The text without the characters that browsers ignore in an address.
  fileprivate var asReference: String {
    let rest = unicodeScalars.drop { $0.value <= 0x20 }
    let end = rest.lastIndex { $0.value > 0x20 }
    let text = end.map { rest[...$0] } ?? rest[rest.endIndex...]
    return String(text.filter { ![0x09, 0x0A, 0x0D].contains($0.value) })
  }

  /// True unless browsers read the host of the address elsewhere than RFC 3986, so that a form could go to another server.
  fileprivate var isReadAlike: Bool {
    if utf8.prefix(while: { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }).contains(0x5C) {
      return false
    }
    let (scheme, rest) = splitOnce(at: ":")
    let isWeb = ["http", "https"].contains(scheme.lowercased())
    guard let rest, isWeb else { return !hasPrefix("///") }
    return rest.hasPrefix("//") && !rest.hasPrefix("///")
  }
}

/// A page to load, or a form to post.
private struct PageRequest: Equatable {
  /// The address, without a fragment.
  let url: String
  /// nil for a page that is only loaded.
  var form: [Parameter]?
  /// The header fields that name the page before.
  var headers = ParameterList()
}

extension HTTPResponse {
  fileprivate var location: String? { self[header: "Location"] }

  /// The `Content-Security-Policy` headers.
  fileprivate var policies: [String] {
    headers.filter { $0.name.lowercased() == "content-security-policy" }.map(\.value)
  }

  /// True if the `Referrer-Policy` header says that other pages must not know the address of this one. The last policy
  /// counts.
  fileprivate var hidesItself: Bool {
    let policies = headers.filter { $0.name.lowercased() == "referrer-policy" }.flatMap {
      $0.value.split { $0.isWhitespace || $0 == "," }
    }
    return policies.last?.lowercased() == "no-referrer"
  }
}
