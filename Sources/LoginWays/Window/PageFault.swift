import LoginCore

/// Why a page cannot be shown. The window shows a page of its own instead.
package enum PageFault: Sendable, Equatable {
  case offline
  case unknownHost(String)
  /// The connection failed or broke, or the answer is not a page. The reason comes from the web engine.
  case connection(host: String, reason: String)
  /// The certificate cannot be trusted; with its SHA-256 fingerprint.
  case tls(host: String, [CertificateFlaw], fingerprint: String?)
  case viewEnded(ViewEnd)
  /// The window does not go where the page led.
  case refused(PageRefusal)

  /// How a process that draws pages can end.
  package enum ViewEnd: String, Sendable, CaseIterable {
    case memory, crash, silence

    package var message: Message {
      switch self {
      case .memory: "it used too much memory"
      case .crash: "it crashed"
      case .silence: "it stopped responding"
      }
    }
  }

  /// The failure of the login if the user closes the window on that page.
  package var failure: Failure {
    switch self {
    case .offline: .offline
    case .unknownHost(let host): .unknownHost(host)
    case .connection(let host, let reason):
      .unreachable(host, Message(verbatim: reason.forDisplay(limit: 200)))
    case .tls(let host, let flaws, let fingerprint):
      .untrustedCertificate(host, flaws.message, fingerprint: fingerprint)
    case .viewEnded(let end): .windowFailed(end.message)
    case .refused(let refusal): refusal.failure
    }
  }
}

/// Why the window does not show what a page led to.
package enum PageRefusal: Sendable, Equatable {
  /// The page led to an address from which no page can come, or which is almost the redirect URI. The address is cut
  /// before its query, which may hold the answer.
  case address(String, redirectURI: String)
  /// The server asks for a password with HTTP authentication, for which there is no dialog.
  case password(host: String)
  /// The answer is a file of this type.
  case download(host: String, type: String)
  /// The answer is empty.
  case nothing(host: String, status: Int)
  /// The server reports an error of its own. If it sent a page about it, that page is shown.
  case failed(host: String, status: Int)

  private var message: Message {
    switch self {
    case .address(let address, let redirectURI):
      "the provider redirected to \(address), which is not the redirect URI \(redirectURI)"
    case .password(let host):
      "\(host) asks for a password with HTTP authentication, which the window does not support"
    case .download(let host, let type):
      "\(host) sent a file (\(type.forDisplay(limit: 80))) instead of a page"
    case .nothing(let host, let status): "\(host) returned HTTP \(status) and no page"
    case .failed(let host, let status): "\(host) returned HTTP \(status)"
    }
  }

  private var hint: Message? {
    guard case .address = self else { return nil }
    return
      "register exactly this redirect URI with the provider, or give the registered one with --redirect-uri"
  }

  private var details: JSONObject {
    switch self {
    case .address(let address, let redirectURI):
      [
        "received": .string(address), "redirect_uri": .string(redirectURI),
        "differs": .texts(Self.differences(address, redirectURI).map(\.rawValue)),
      ]
    case .password(let host): ["host": .string(host)]
    case .download(let host, let type): ["host": .string(host), "type": .string(type)]
    case .nothing(let host, let status), .failed(let host, let status):
      ["host": .string(host), "status": .number(JSONNumber(Int64(status)))]
    }
  }

  /// The failure of the login if it ends here.
  package var failure: Failure {
    switch self {
    case .address: Failure(.redirectMismatch, message, hint: hint, details: details)
    case .nothing(_, let status), .failed(_, let status):
      Failure(.badResponse, message, details: details, isRetryable: status.isPassingStatus)
    case .password, .download: Failure(.badResponse, message, details: details)
    }
  }

  /// The failure of the login if the user closes the window after this.
  package var failureOnClosing: Failure {
    Failure(.cancelled, "the window was closed: \(message)", hint: hint, details: details)
  }

  /// The failure of the login if its time is over after this.
  package var failureOnDeadline: Failure {
    Failure(.timeout, "the user did not sign in in time: \(message)", hint: hint, details: details)
  }
}

extension Failure {
  /// The window's program cannot be started, or cannot go on.
  package static func windowFailed(_ reason: Message) -> Failure {
    Failure(.windowFailed, "the window failed: \(reason)")
  }
}

extension PageFault {
  init?(_ object: JSONObject) {
    let text = { (name: String) in object[name]?.string }
    let host = text("host") ?? ""
    switch text("kind") {
    case "offline": self = .offline
    case "unknown_host": self = .unknownHost(host)
    case "connection": self = .connection(host: host, reason: text("reason") ?? "")
    case "tls":
      let flaws = (object["flaws"]?.strings ?? []).compactMap(CertificateFlaw.init)
      self = .tls(host: host, flaws, fingerprint: text("fingerprint"))
    case "view_ended": self = .viewEnded(text("reason").flatMap(ViewEnd.init) ?? .crash)
    default:
      guard let refusal = PageRefusal(object) else { return nil }
      self = .refused(refusal)
    }
  }

  var json: JSONObject {
    switch self {
    case .offline: ["kind": "offline"]
    case .unknownHost(let host): ["kind": "unknown_host", "host": .string(host)]
    case .connection(let host, let reason):
      ["kind": "connection", "host": .string(host), "reason": .string(reason)]
    case .tls(let host, let flaws, let fingerprint):
      [
        "kind": "tls", "host": .string(host), "flaws": .texts(flaws.map(\.rawValue)),
        "fingerprint": fingerprint.map(JSONValue.string),
      ]
    case .viewEnded(let end): ["kind": "view_ended", "reason": .string(end.rawValue)]
    case .refused(let refusal): refusal.json
    }
  }
}

extension PageRefusal {
  init?(_ object: JSONObject) {
    let text = { (name: String) in object[name]?.string ?? "" }
    let host = text("host")
    let status = Int(object["status"]?.truncated ?? 0)
    switch text("kind") {
    case "address": self = .address(text("address"), redirectURI: text("redirect_uri"))
    case "password": self = .password(host: host)
    case "download": self = .download(host: host, type: text("type"))
    case "nothing": self = .nothing(host: host, status: status)
    case "server_failed": self = .failed(host: host, status: status)
    default: return nil
    }
  }

  var json: JSONObject {
    switch self {
    case .address(let address, let redirectURI):
      ["kind": "address", "address": .string(address), "redirect_uri": .string(redirectURI)]
    case .password(let host): ["kind": "password", "host": .string(host)]
    case .download(let host, let type): ["kind": "download", "host": .string(host), "type": .string(type)]
    case .nothing(let host, let status):
      ["kind": "nothing", "host": .string(host), "status": .number(JSONNumber(Int64(status)))]
    case .failed(let host, let status):
      ["kind": "server_failed", "host": .string(host), "status": .number(JSONNumber(Int64(status)))]
    }
  }
}
