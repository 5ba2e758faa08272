import GLibSupport
import HTMLForms
import LoginCore
import LoginWays

/// Takes the place of a web view and its user in tests: opens the page, follows redirects, asks the policy about
/// every hop, and fills in forms with values that were given beforehand. It runs no scripts.
public struct HeadlessAgent: UserAgent {
  private let loader: any PageLoader
  private let values: [Parameter]
  private let observe: @Sendable (_ uri: String, _ decision: String) -> Void

  /// The most redirects of one login, and the most pages with forms.
  private static let maximumRedirects = 20
  private static let maximumPages = 10

  /// Fills in `values` wherever a form asks for one of their names, and tells `observe` about each hop.
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
    var trail = Trail(at: PageRequest(url: visit.url))
    while true {
      let uri = trail.uri
      let decision = visit.policy.decision(for: Array(uri.utf8))
      observe(uri, decision.name)
      switch decision {
      case .callback(let callback): return .callback(callback)
      case .errorPage(let uri): return .errorPage(uri: uri, body: try await loader.load(trail.request).body)
      case .ignore: throw .user(.loginRequired(page: uri))
      case .allow: try await follow(try await loader.load(trail.request), &trail)
      }
    }
  }

  public func dismiss() async {}

  /// Goes where the page leads: to its redirect, or to where its form is sent.
  private func follow(_ page: Page, _ trail: inout Trail) async throws(Failure) {
    if (300..<400).contains(page.status), let location = page.location {
      guard trail.redirects < Self.maximumRedirects else {
        throw .application(HeadlessFault.redirects(Self.maximumRedirects))
      }
      return try trail.redirect(to: location, keepsForm: page.status == 307 || page.status == 308)
    }
    // Whatever the page does to its reader, deadline and signals are heard meanwhile.
    let html = await inBackground { HTMLPage(page.body) }
    for form in html.forms {
      guard let submission = form.submission(of: values) else { continue }
      guard trail.pages < Self.maximumPages else {
        throw .application(HeadlessFault.forms(Self.maximumPages))
      }
      // The same form with the same values once more would mean that the values were refused.
      if try trail.submit(form, submission, base: html.base) { return }
      break
    }
    throw .user(.loginRequired(page: trail.uri))
  }
}

/// Where a headless login is, and where it has been.
private struct Trail {
  private(set) var request: PageRequest
  private(set) var redirects = 0
  private(set) var pages = 0
  /// A redirect without a fragment inherits that of the page before it (RFC 9110 section 10.2.2).
  private var fragment: String?
  private var sent: [PageRequest] = []

  init(at request: PageRequest) {
    let (page, fragment) = request.url.splitOnce(at: "#")
    self.request = PageRequest(url: page, posting: request.form)
    self.fragment = fragment
  }

  /// The address as a web view would be asked about it.
  var uri: String { request.url + (fragment.map { "#\($0)" } ?? "") }

  mutating func redirect(to location: String, keepsForm: Bool) throws(Failure) {
    redirects += 1
    let target = try absolute(location, base: nil)
    let (page, fragment) = target.splitOnce(at: "#")
    if let fragment { self.fragment = fragment }
    request = PageRequest(url: page, posting: keepsForm ? request.form : nil)
  }

  /// False if exactly this has been sent before.
  mutating func submit(_ form: HTMLForm, _ values: [Parameter], base: String?) throws(Failure) -> Bool {
    let target = try absolute(form.action, base: base).splitOnce(at: "#").0
    let next =
      form.isPost
      ? PageRequest(url: target, posting: values)
      : PageRequest(url: target.splitOnce(at: "?").0 + "?" + FormEncoding.encode(values))
    if sent.contains(next) { return false }
    sent.append(next)
    pages += 1
    request = next
    fragment = nil
    return true
  }

  private func absolute(_ reference: String, base: String?) throws(Failure) -> String {
    let base = base.flatMap { resolve($0, against: request.url) } ?? request.url
    if reference.isEmpty { return base }
    guard let target = resolve(reference, against: base) else {
      throw .application(HeadlessFault.nowhere)
    }
    return target
  }
}
