import LoginCore

/// A client certificate that is ready for use.
package enum ClientCertificate: Sendable, Equatable {
  /// The certificate, its chain and its key.
  case file(pem: String)
  /// The URIs of the certificate and its key in a PKCS#11 token.
  case token(uri: String, keyURI: String)

  /// The members of the certificate, if there is one.
  static func coded(_ certificate: ClientCertificate?, by coder: inout MemberCoder) -> ClientCertificate? {
    var (pem, uri, keyURI): (String?, String?, String?)
    switch certificate {
    case nil: break
    case .file(let text)?: pem = text
    case .token(let text, let key)?: (uri, keyURI) = (text, key)
    }
    coder.text("pem", &pem)
    coder.text("uri", &uri)
    coder.text("key_uri", &keyURI)
    if let pem { return .file(pem: pem) }
    return if let uri, let keyURI { .token(uri: uri, keyURI: keyURI) } else { nil }
  }
}

extension ClientCertificate: Redacted {}
