import LoginCore

/// Why a page is not there; the window shows a page of its own in its place.
package enum PageFault: Sendable, Equatable {
  case offline
  case unknownHost(String)
  /// No connection, one that broke, or an answer that is no page, in the web engine's words.
  case connection(host: String, reason: String)
  /// A certificate that is not to be trusted, what is wrong with it, and its SHA-256 fingerprint.
  case tls(host: String, [CertificateFlaw], fingerprint: String?)
  case viewEnded(ViewEnd)
  /// The window does not go where the page led.
  case refused(PageRefusal)

  /// How a process that draws pages can end.
  package enum ViewEnd: String, Sendable, CaseIterable {
    case memory, crash, silence
  }

  /// What the login ends with if the user ends it there.
  package var failure: Failure {
    switch self {
    case .offline: .network(.offline)
    case .unknownHost(let host): .network(.unknownHost(host))
    case .connection(let host, let reason): .network(.connection(host: host, .system(reason)))
    case .tls(let host, let flaws, let fingerprint):
      .network(.tls(host: host, .certificate(flaws), fingerprint: fingerprint))
    case .viewEnded(let end): .way(.window(.viewEnded(end)))
    case .refused(let refusal): .application(refusal)
    }
  }
}

extension PageFault {
  /// Reads the members.
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

  /// The members that say something.
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
  /// Reads the members.
  init?(_ object: JSONObject) {
    let text = { (name: String) in object[name]?.string ?? "" }
    let host = text("host")
    let status = { if case .number(let number)? = object["status"] { Int(number.truncated ?? 0) } else { 0 } }
    switch text("kind") {
    case "address": self = .address(text("address"), redirectURI: text("redirect_uri"))
    case "password": self = .password(host: host)
    case "download": self = .download(host: host, type: text("type"))
    case "nothing": self = .nothing(host: host, status: status())
    case "server_failed": self = .failed(host: host, status: status())
    default: return nil
    }
  }

  /// The members that say something.
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
