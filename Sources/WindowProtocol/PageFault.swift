import LoginCore

/// Why a page cannot be shown. The window shows a page of its own instead.
package enum PageFault: Sendable, Equatable {
  case offline
  case unknownHost(String)
  /// The connection failed or broke, or the answer is not a page. The reason comes from the web engine.
  case connection(host: String, reason: String)
  /// The certificate cannot be trusted; with its SHA-256 fingerprint, and the time in which it is valid.
  case tls(
    host: String, [CertificateFlaw], fingerprint: String?, validity: ClosedRange<UTCDate>? = nil)
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
    case .tls(let host, let flaws, let fingerprint, _):
      .untrustedCertificate(host, flaws, fingerprint: fingerprint)
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
  /// The server asks for a client certificate, and got none.
  case certificate(host: String)
  /// The answer is a file of this type.
  case download(host: String, type: String)
  /// The answer is empty.
  case nothing(host: String, status: Int)
  /// The server reports an error of its own. If it sent a page about it, that page is shown.
  case failed(host: String, status: Int)
  /// The server refuses the request, with a status of 400 to 499. Its page is shown.
  case rejected(host: String, status: Int)
  /// The server sends an OAuth error as JSON, which is no page for people.
  case error(host: String, code: String, description: String?, uri: String?)

  private var message: Message {
    switch self {
    case .address(let address, let redirectURI):
      "the provider redirected to \(address), which is not the redirect URI \(redirectURI)"
    case .password(let host):
      "\(host) asks for a password with HTTP authentication, which the window does not support"
    case .download(let host, let type):
      "\(host) sent a file (\(type.forDisplay(limit: 80))) instead of a page"
    case .nothing(let host, let status): "\(host) returned HTTP \(status) and no page"
    case .failed(let host, let status), .rejected(let host, let status):
      "\(host) returned HTTP \(status)"
    case .certificate, .error: failure.message
    }
  }

  private var hint: Failure.Hint? {
    switch self {
    case .address: .registerRedirectURI
    // Other statuses from 401 to 499 are about the user's network or rate, or about a page that is not there.
    case .rejected(_, 400), .nothing(_, 400): .checkClient
    case .error(_, "invalid_client", _, _), .error(_, "unauthorized_client", _, _): .checkClient
    default: nil
    }
  }

  private var details: JSONObject {
    switch self {
    case .address(let address, let redirectURI):
      [
        "received": .string(address), "redirect_uri": .string(redirectURI),
        "differs": .texts(Self.differences(address, redirectURI).map(\.rawValue)),
      ]
    case .password(let host), .certificate(let host): ["host": .string(host)]
    case .download(let host, let type): ["host": .string(host), "type": .string(type)]
    case .nothing(let host, let status), .failed(let host, let status), .rejected(let host, let status):
      ["host": .string(host), "status": .number(JSONNumber(Int64(status)))]
    case .error: [:]
    }
  }

  /// The failure of the login if it ends here.
  package var failure: Failure {
    switch self {
    case .error(_, let code, let description, let uri):
      .refusal(code: code, description: description, uri: uri).with(hint: hint)
    case .certificate(let host): .lacksClientCertificate(host)
    case .address: Failure(.redirectMismatch, message, hint: hint, details: details)
    case .nothing(_, let status), .failed(_, let status), .rejected(_, let status):
      Failure(.badResponse, message, hint: hint, details: details, isRetryable: status.isPassingStatus)
    case .password, .download: Failure(.badResponse, message, hint: hint, details: details)
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

extension PageFault: CaseCoded {
  package static let cases: [PageFault] =
    [
      .offline, .unknownHost(""), .connection(host: "", reason: ""), .tls(host: "", [], fingerprint: nil),
      .viewEnded(.crash),
    ] + PageRefusal.cases.map(PageFault.refused)

  package func coded(by coder: inout MemberCoder) -> (name: String, value: PageFault) {
    switch self {
    case .offline: return ("offline", self)
    case .unknownHost(let host): return ("unknown_host", .unknownHost(coder.text("host", host)))
    case .connection(let host, let reason):
      let (host, reason) = (coder.text("host", host), coder.text("reason", reason))
      return ("connection", .connection(host: host, reason: reason))
    case .tls(let host, let flaws, let fingerprint, let validity):
      let host = coder.text("host", host)
      let words = coder.value("flaws", flaws.map(\.rawValue), .list(.text)) ?? []
      let fingerprint = coder.value("fingerprint", fingerprint, .text)
      let start = coder.value("valid_from", validity?.lowerBound, .date)
      let end = coder.value("valid_until", validity?.upperBound, .date)
      let validity: ClosedRange<UTCDate>? = if let start, let end, start <= end { start...end } else { nil }
      let flaws = words.compactMap(CertificateFlaw.init)
      return ("tls", .tls(host: host, flaws, fingerprint: fingerprint, validity: validity))
    case .viewEnded(let end):
      return ("view_ended", .viewEnded(coder.value("reason", end, .choice()) ?? .crash))
    case .refused(let refusal):
      let (name, refusal) = refusal.coded(by: &coder)
      return (name, .refused(refusal))
    }
  }
}

extension PageRefusal: CaseCoded {
  package static let cases: [PageRefusal] = [
    .address("", redirectURI: ""), .password(host: ""), .certificate(host: ""), .download(host: "", type: ""),
    .nothing(host: "", status: 0), .failed(host: "", status: 0), .rejected(host: "", status: 0),
    .error(host: "", code: "", description: nil, uri: nil),
  ]

  package func coded(by coder: inout MemberCoder) -> (name: String, value: PageRefusal) {
    func host(_ host: String) -> String { coder.text("host", host) }
    func status(_ status: Int) -> Int { coder.required("status", status, .count) }
    return switch self {
    case .address(let address, let redirectURI):
      (
        "address",
        .address(coder.text("address", address), redirectURI: coder.text("redirect_uri", redirectURI))
      )
    case .password(let name): ("password", .password(host: host(name)))
    case .certificate(let name): ("certificate", .certificate(host: host(name)))
    case .download(let name, let type):
      ("download", .download(host: host(name), type: coder.text("type", type)))
    case .nothing(let name, let code): ("nothing", .nothing(host: host(name), status: status(code)))
    case .failed(let name, let code): ("server_failed", .failed(host: host(name), status: status(code)))
    case .rejected(let name, let code): ("rejected", .rejected(host: host(name), status: status(code)))
    case .error(let name, let code, let description, let uri):
      (
        "oauth_error",
        .error(
          host: host(name), code: coder.text("error", code),
          description: coder.value("error_description", description, .text),
          uri: coder.value("error_uri", uri, .text))
      )
    }
  }
}

extension PageRefusal {
  /// Reads an OAuth error (RFC 6749 section 5.2) that a server sends in place of a page. Other JSON has members of this
  /// name, too, such as `{"error":"Not Found"}`, but no such code.
  package init?(body: [UInt8], from host: String) {
    guard let members = (try? JSONReader.read(body, maximumSize: 64 * 1_024))?.object,
      let code = members["error"]?.string, !code.isEmpty, code.utf8.count <= 100,
      code.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") })
    else { return nil }
    self = .error(
      host: host, code: code, description: members["error_description"]?.string,
      uri: members["error_uri"]?.string)
  }
}

extension PageRefusal {
  /// True if a page has an element with which the user or a script can go on. The page of a server that wants HTTP
  /// authentication may have a form as well.
  package static func leadsOn(_ page: String) -> Bool {
    let page = page.lowercased()
    return ["<form", "<input", "<button", "<a ", "<script", "<meta", "<iframe", "<frame"].contains(
      where: page.holds)
  }
}

/// A way on from a page that could not be shown.
package enum WayOn: Sendable {
  case tryAgain, back, browser, close
}

extension PageFault {
  /// The ways on among the possible ones, the most helpful first. Trying again is offered where it may help, and where it
  /// is the only way.
  package func waysOn(_ possible: Set<WayOn>) -> [WayOn] {
    let ways = helpfulWays.filter(possible.contains)
    return ways.isEmpty && possible.contains(.tryAgain) ? [.tryAgain] : ways
  }

  private var helpfulWays: [WayOn] {
    switch self {
    case .offline, .unknownHost, .connection, .viewEnded, .refused(.failed):
      [.tryAgain, .back, .browser, .close]
    case .refused(.error) where failure.isRetryable: [.tryAgain, .back, .browser, .close]
    case .refused(.password): [.browser, .back, .close]
    case .refused(.download): [.back, .browser, .close]
    case .tls, .refused: [.back, .close, .browser]
    }
  }
}
