/// A page with which a login ends that no redirect with parameters ends, such as that of a VPN gateway. The answer is in
/// cookies and in header fields.
package struct FinalPage: Sendable, Equatable {
  /// The page, which is loaded. nil if the login ends as soon as all cookies exist for the host of the first page.
  package private(set) var uri: RedirectURI?
  /// The names of the wanted cookies.
  package private(set) var cookies: [String]
  /// The names of the wanted fields of the page's own response.
  package private(set) var headers: [String]

  /// Throws if no page with these values can ever load. The message continues "VALUE is …".
  package init(uri: RedirectURI?, cookies: [String], headers: [String]) throws(Message) {
    if let uri, !Self.canLoad(uri) { throw "not a page that loads over https" }
    (self.uri, self.cookies, self.headers) = (uri, cookies, headers)
  }

  private static func canLoad(_ uri: RedirectURI) -> Bool {
    uri.isOnThisMachine || uri.kind == .page && uri.description.prefix(6).lowercased() == "https:"
  }

  /// True if the page with this address is the final one, or if any page will do.
  package func accepts(_ address: [UInt8]) -> Bool {
    uri.map { $0.landing.match(address.span) != nil } ?? true
  }

  /// Returns the wanted ones of the cookies and fields. Several fields of one name are one list (RFC 9110 section 5.3), and
  /// the first of several cookies counts, as the one that fits its page best.
  package func values(cookies: [Parameter], headers: some Sequence<Parameter>) -> PageValues {
    PageValues(
      cookies: self.cookies.compactMap { name in
        cookies.first { $0.name.isIdentical(to: name) && !$0.value.isEmpty }
      },
      headers: self.headers.compactMap { name in
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        let value = values.joined(separator: ", ")
        return value.isEmpty ? nil : Parameter(name, value)
      })
  }

  /// True if the values are complete.
  package func isWhole(_ values: PageValues) -> Bool { missing(in: values).isEmpty }

  private func missing(in values: PageValues) -> [String] {
    cookies.filter { values.cookie($0) == nil } + headers.filter { values.header($0) == nil }
  }

  /// Returns the callback, or nil if the page is another one. The window may be compromised, so this takes nothing but what
  /// is wanted.
  package func callback(at address: String, _ values: PageValues) -> Callback? {
    let bytes = Array(address.utf8)
    guard accepts(bytes) else { return nil }
    var callback = Callback(uri: bytes, added: bytes.count, redirect: .exact)
    callback.values = self.values(cookies: values.cookies, headers: values.headers)
    return callback
  }

  /// Returns the values of a callback. Throws if one is missing or is not text.
  package func values(of callback: Callback) throws(Failure) -> PageValues {
    let values = callback.values ?? PageValues()
    let missing = missing(in: values)
    if !missing.isEmpty {
      throw .malformedCallback(
        "it lacks \(missing.verbatim.list)", details: ["missing": .array(missing.map(JSONValue.string))])
    }
    for value in values.cookies + values.headers
    where value.value.unicodeScalars.contains(where: { $0.isControl || $0 == "\u{FFFD}" }) {
      throw .malformedCallback("\(value.name.forDisplay(limit: 60)) is not text")
    }
    return values
  }
}

extension FinalPage: MemberCoded {
  package init() { (uri, cookies, headers) = (nil, [], []) }

  package mutating func code(_ coder: inout MemberCoder) {
    coder.checked("uri", &uri, .parsed { (try? RedirectURI($0)).flatMap { Self.canLoad($0) ? $0 : nil } })
    coder.texts("cookies", &cookies)
    coder.texts("headers", &headers)
  }
}

/// The values that were found at a ``FinalPage``, by their wanted names.
package struct PageValues: Sendable, Equatable, Redacted {
  package private(set) var cookies: [Parameter]
  package private(set) var headers: [Parameter]

  package init(cookies: [Parameter] = [], headers: [Parameter] = []) {
    (self.cookies, self.headers) = (cookies, headers)
  }

  /// Returns the value of a cookie.
  package func cookie(_ name: String) -> String? { cookies.first { $0.name.isIdentical(to: name) }?.value }

  /// Returns the value of a header field.
  package func header(_ name: String) -> String? { headers.first { $0.name.isIdentical(to: name) }?.value }
}

extension PageValues: MemberCoded {
  package init() { (cookies, headers) = ([], []) }

  package mutating func code(_ coder: inout MemberCoder) {
    coder.required("cookies", &cookies, .texts())
    coder.required("headers", &headers, .texts())
  }
}

extension NavigationPolicy {
  /// The policy of a visit with a ``FinalPage``: all pages of the web are loaded.
  package static let ofFinalPage = NavigationPolicy()
}
