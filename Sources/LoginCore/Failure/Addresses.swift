// The addresses that an application writes. A failure does not repeat the address, which may hold a secret.

extension Endpoint {
  /// Throws if the text is not such a URL, or if web engines would rewrite it.
  public init(_ text: String) throws(Failure) {
    self = try failing(Endpoint(parsing: text)) { (reason: Message) in
      Failure(.invalidConfiguration, "the address is \(reason)")
    }
  }
}

extension Issuer {
  /// Throws if RFC 8414 does not allow the text as an issuer.
  public init(_ text: String) throws(Failure) {
    self = try failing(Issuer(parsing: text)) { (reason: Message) in
      Failure(.invalidConfiguration, "the issuer is \(reason)")
    }
  }
}

extension RedirectURI {
  /// Throws if a web engine would report the URI in other bytes.
  public init(_ text: String) throws(Failure) {
    self = try failing(RedirectURI(parsing: text)) { (reason: Message) in
      Failure(.invalidConfiguration, "the redirect URI is \(reason)")
    }
  }
}
