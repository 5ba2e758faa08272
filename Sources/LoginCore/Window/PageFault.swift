/// Why a page is not there; the window shows a page of its own in its place.
package enum PageFault: Sendable, Equatable {
  /// There is no network.
  case offline(reason: String)
  /// The name of the host is unknown.
  case unknownHost(String)
  /// No connection, one that broke, or an answer that is no page.
  case connection(host: String, reason: String)
  /// A certificate that is not to be trusted, and its SHA-256 fingerprint.
  case tls(host: String, reason: String, fingerprint: String?)
  /// The process that draws pages has ended.
  case viewEnded(reason: String)

  /// What the login ends with if the user ends it there.
  package var failure: Failure {
    switch self {
    case .offline(let reason): .network(.offline(reason))
    case .unknownHost(let host): .network(.unknownHost(host))
    case .connection(let host, let reason): .network(.connection(host: host, reason: reason))
    case .tls(let host, let reason, let fingerprint):
      .network(.tls(host: host, reason: reason, fingerprint: fingerprint))
    case .viewEnded(let reason): .display(.windowFailed(reason))
    }
  }
}

extension PageFault {
  /// Reads the members.
  init?(_ object: JSONObject) {
    let text = { (name: String) in object[name]?.string }
    let host = text("host") ?? ""
    let reason = text("reason") ?? ""
    switch text("kind") {
    case "offline": self = .offline(reason: reason)
    case "unknown_host": self = .unknownHost(host)
    case "connection": self = .connection(host: host, reason: reason)
    case "tls": self = .tls(host: host, reason: reason, fingerprint: text("fingerprint"))
    case "view_ended": self = .viewEnded(reason: reason)
    default: return nil
    }
  }

  /// The members that say something.
  var json: JSONObject {
    switch self {
    case .offline(let reason): return ["kind": "offline", "reason": .string(reason)]
    case .unknownHost(let host): return ["kind": "unknown_host", "host": .string(host)]
    case .connection(let host, let reason):
      return ["kind": "connection", "host": .string(host), "reason": .string(reason)]
    case .tls(let host, let reason, let fingerprint):
      var object: JSONObject = ["kind": "tls", "host": .string(host), "reason": .string(reason)]
      object["fingerprint"] = fingerprint.map(JSONValue.string)
      return object
    case .viewEnded(let reason): return ["kind": "view_ended", "reason": .string(reason)]
    }
  }
}
