import GLibSupport
import HTMLForms
import Language
import LoginCore

/// Replaces a web view and its user in tests: opens the page, follows redirects, asks the policy about every hop, and
/// fills in forms with given values. It runs no scripts.
public struct HeadlessAgent: UserAgent {
  private let loader: any PageLoader
  private let values: [Parameter]
  private let observe: @Sendable (_ uri: String, _ decision: String) -> Void

  private static let maximumRedirects = 20
  /// The limit of pages with forms.
  private static let maximumPages = 10

  /// Fills `values` into the form fields with their names, and calls `observe` for each hop.
  public init(
    loader: any PageLoader, values: [Parameter],
    observe: @escaping @Sendable (_ uri: String, _ decision: String) -> Void
  ) {
    self.loader = loader
    self.values = values
    self.observe = observe
  }

  @GLibActor
  public func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    var trail = Trail(at: PageRequest(url: visit.url, posting: visit.form))
    while true {
      let uri = trail.uri
      let decision = visit.policy.decision(for: Array(uri.utf8))
      observe(uri, decision.name)
      switch decision {
      case .callback(let callback): return .callback(callback)
      case .errorPage(let uri): return .errorPage(uri: uri, body: try await loader.load(trail.request).body)
      case .ignore: throw .loginRequired(page: uri)
      case .allow:
        let page = try await loader.load(trail.request)
        if let callback = await callback(at: trail.uri, page, in: visit) { return .callback(callback) }
        try await follow(page, &trail, of: visit)
      }
    }
  }

  /// Returns the callback if the visit ends with this page. A redirect is no page, and its cookies alone may end it.
  private func callback(at uri: String, _ page: Page, in visit: Visit) async -> Callback? {
    guard let final = visit.finalPage, final.accepts(Array(uri.utf8)) else { return nil }
    let isRedirect = (300..<400).contains(page.status) && page.location != nil
    if final.uri != nil, isRedirect { return nil }
    let cookies = await loader.cookies(for: final.uri == nil ? visit.url : uri, onAnyPath: final.uri == nil)
    let values = final.values(cookies: cookies, headers: page.headers)
    // An error page is not the final one.
    guard final.isWhole(values) || final.uri != nil && page.status < 400 else { return nil }
    return final.callback(at: uri, values)
  }

  public func dismiss() async {}

  /// Follows the redirect of the page, or sends its form.
  private func follow(_ page: Page, _ trail: inout Trail, of visit: Visit) async throws(Failure) {
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
    target = PageRequest(url: page, posting: request.form)
    self.fragment = fragment
  }

  /// The request for the page.
  var request: PageRequest {
    PageRequest(
      url: target.url, posting: target.form, headers: referrer.headers(isPost: target.form != nil))
  }

  /// The address with its fragment.
  var uri: String { target.url + (fragment.map { "#\($0)" } ?? "") }

  /// True if the page has the address of the first one, whatever its parameters, and does not answer a form.
  func isBack(at first: String) -> Bool {
    target.form == nil && target.url.splitOnce(at: "?").0 == first.splitOnce(at: "?").0
  }

  mutating func redirect(to location: String, keepsForm: Bool, hidesPage: Bool) throws(Failure) {
    redirects += 1
    let (page, fragment) = try absolute(location, base: target.url).splitOnce(at: "#")
    if let fragment { self.fragment = fragment }
    target = PageRequest(url: page, posting: keepsForm ? target.form : nil)
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
      ? PageRequest(url: action, posting: form.parameters)
      : PageRequest(url: action.splitOnce(at: "?").0 + "?" + FormEncoding.encode(form.parameters))
    let credentials = PageRequest(url: action.splitOnce(at: "?").0, posting: form.credentials)
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

/// Loads pages for an agent without a web view. It keeps cookies, and does not follow redirects.
public protocol PageLoader: Sendable {
  func load(_ request: PageRequest) async throws(Failure) -> Page
  /// Returns the cookies that would be sent to an address or, `onAnyPath`, to any address of its host.
  func cookies(for address: String, onAnyPath: Bool) async -> [Parameter]
}

/// A page to load, or a form to post.
public struct PageRequest: Sendable, Equatable {
  /// The address, without a fragment.
  public let url: String
  /// nil for a page that is only loaded.
  public let form: [Parameter]?
  /// The header fields that name the page before.
  public let headers: [Parameter]

  public init(url: String, posting form: [Parameter]? = nil, headers: [Parameter] = []) {
    (self.url, self.form, self.headers) = (url, form, headers)
  }
}

/// A page, or a redirect.
public struct Page: Sendable {
  public let status: Int
  public let body: [UInt8]
  public let headers: [Parameter]

  public init(status: Int, headers: [Parameter] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The `Location` header.
  var location: String? { headers.first { $0.name.lowercased() == "location" }?.value }

  /// The `Content-Security-Policy` headers.
  var policies: [String] {
    headers.filter { $0.name.lowercased() == "content-security-policy" }.map(\.value)
  }

  /// True if the `Referrer-Policy` header says that other pages must not know the address of this one. The last policy
  /// counts.
  var hidesItself: Bool {
    let policies = headers.filter { $0.name.lowercased() == "referrer-policy" }.flatMap {
      $0.value.split { $0.isWhitespace || $0 == "," }
    }
    return policies.last?.lowercased() == "no-referrer"
  }
}

/// Loads pages through a transport that keeps cookies.
public struct TransportPageLoader: PageLoader {
  private let transport: any HTTPTransport
  private let readCookies: @GLibActor @Sendable (_ address: String, _ onAnyPath: Bool) -> [Parameter]

  /// Providers need the cookies to recognise the user on the next page.
  public init(
    _ transport: any HTTPTransport,
    cookies: @escaping @GLibActor @Sendable (_ address: String, _ onAnyPath: Bool) -> [Parameter]
  ) {
    (self.transport, readCookies) = (transport, cookies)
  }

  public func cookies(for address: String, onAnyPath: Bool) async -> [Parameter] {
    await readCookies(address, onAnyPath)
  }

  public func load(_ request: PageRequest) async throws(Failure) -> Page {
    let endpoint: Endpoint
    do throws(Message) {
      endpoint = try Endpoint(request.url)
    } catch {
      throw Failure(
        .badResponse, "a page leads to \"\(Redaction.address(request.url))\", which is \(error)")
    }
    let html = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
    let response = try await transport.send(
      request.form.map { HTTPRequest(post: $0, to: endpoint, accepting: html, headers: request.headers) }
        ?? HTTPRequest(get: endpoint, accepting: html, headers: request.headers))
    return Page(status: response.status, headers: response.headers, body: response.body)
  }
}
