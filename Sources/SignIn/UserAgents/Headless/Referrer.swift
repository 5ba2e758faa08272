import LoginCore

/// The page that a request comes from. It is named to the server as browsers name it, with their usual policy
/// `strict-origin-when-cross-origin` (Fetch Standard section 3.2, Referrer Policy section 8.3). Servers that protect their
/// forms against other sites, such as those made with Django, refuse a form that names no page.
struct Referrer {
  /// The value of `Referer`, or nil if the server must not know the page.
  private var address: String?
  /// The value of `Origin`.
  private var origin = "null"
  private var page: Endpoint?
  /// The server that got the request last: that of the page itself, or the one that redirected.
  private var last: Endpoint?

  /// Browsers shorten longer addresses.
  private static let maximumLength = 4_096

  /// There is no page, because the login begins here.
  init() {}

  /// The page at an address.
  init(page: String) {
    guard let page = try? Endpoint(page) else { return }
    (self.page, last, origin) = (page, page, page.origin)
    let isLong = page.description.utf8.count > Self.maximumLength
    address = isLong ? page.origin + "/" : page.description
  }

  /// The header fields that name the page. Only a POST has an `Origin`.
  func headers(isPost: Bool) -> ParameterList {
    ParameterList(
      [address.map { Parameter("Referer", $0) }, isPost ? Parameter("Origin", origin) : nil].compactMap(
        \.self))
  }

  /// Takes back what the next server must not know. A redirect keeps the page, but does not tell more than before.
  mutating func lead(to address: String) {
    guard let page, let last, let next = try? Endpoint(address) else { return hide() }
    if next.origin != page.origin, self.address != nil { self.address = page.origin + "/" }
    // A server that is not the page's own may have chosen the target.
    if next.origin != last.origin, last.origin != page.origin { origin = "null" }
    if page.origin.hasPrefix("https:"), !next.origin.hasPrefix("https:") { hide() }
    self.last = next
  }

  /// Takes back everything, as a page or a redirect with the policy `no-referrer` demands.
  mutating func hide() { (address, origin) = (nil, "null") }
}
