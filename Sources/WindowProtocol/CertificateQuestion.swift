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

/// Asks the user about the certificate that a server wants.
package struct CertificateQuestion: Sendable, Equatable {
  /// The server.
  package var host: String
  package var subject: Subject
  /// True if the secret given before was wrong.
  package var wasWrong = false
  /// The tries that are left before the token is locked, if it says so.
  package var tries: Tries?

  package enum Subject: Sendable, Equatable {
    /// Which of these certificates it should be.
    case choice([String])
    /// The passphrase of the file with this name.
    case passphrase(String)
    /// The PIN of the token with this certificate.
    case pin(String)
    /// The token is not there.
    case token
  }

  package enum Tries: String, Sendable { case few, last }

  package init(_ host: String, _ subject: Subject) { (self.host, self.subject) = (host, subject) }

  init?(_ object: JSONObject) {
    let name = object["name"]?.string ?? ""
    let subject: Subject? =
      switch object["for"]?.string {
      case "choice": object["names"]?.strings.map { .choice($0) }
      case "passphrase": .passphrase(name)
      case "pin": .pin(name)
      case "token": .token
      default: nil
      }
    guard let subject, let host = object["host"]?.string else { return nil }
    self.init(host, subject)
    wasWrong = object["wrong"]?.bool ?? false
    tries = object["tries"]?.string.flatMap(Tries.init)
  }

  var json: JSONObject {
    var object: JSONObject = ["host": .string(host)]
    switch subject {
    case .choice(let names): (object["for"], object["names"]) = ("choice", .texts(names))
    case .passphrase(let name): (object["for"], object["name"]) = ("passphrase", .string(name))
    case .pin(let name): (object["for"], object["name"]) = ("pin", .string(name))
    case .token: object["for"] = "token"
    }
    if wasWrong { object["wrong"] = true }
    if let tries { object["tries"] = .string(tries.rawValue) }
    return object
  }
}

/// The user's answer to a ``CertificateQuestion``.
package enum CertificateAnswer: Sendable, Equatable {
  /// The certificate at this place in the list.
  case chosen(Int)
  case secret(String)
  /// The token should be there now.
  case again
  /// Go on without a certificate.
  case without

  init(_ object: JSONObject) {
    if let place = object["chosen"]?.truncated {
      self = .chosen(Int(clamping: place))
    } else if let secret = object["secret"]?.string {
      self = .secret(secret)
    } else {
      self = object["again"] == true ? .again : .without
    }
  }

  var json: JSONObject {
    switch self {
    case .chosen(let place): ["chosen": .number(JSONNumber(Int64(place)))]
    case .secret(let secret): ["secret": .string(secret)]
    case .again: ["again": true]
    case .without: [:]
    }
  }
}

extension CertificateAnswer: Redacted {}
