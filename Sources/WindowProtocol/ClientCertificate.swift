import LoginCore

/// A client certificate that is ready for use.
package enum ClientCertificate: Sendable, Equatable {
  /// The certificate, its chain and its key.
  case file(pem: String)
  /// The URIs of the certificate and its key in a PKCS#11 token.
  case token(uri: String, keyURI: String)

  init?(_ object: JSONObject) {
    if let pem = object["pem"]?.string {
      self = .file(pem: pem)
    } else if let uri = object["uri"]?.string, let keyURI = object["key_uri"]?.string {
      self = .token(uri: uri, keyURI: keyURI)
    } else {
      return nil
    }
  }

  static func json(of certificate: ClientCertificate?, for host: String) -> JSONObject {
    switch certificate {
    case nil: ["host": .string(host)]
    case .file(let pem)?: ["host": .string(host), "pem": .string(pem)]
    case .token(let uri, let keyURI)?:
      ["host": .string(host), "uri": .string(uri), "key_uri": .string(keyURI)]
    }
  }
}

extension ClientCertificate: Redacted {}
