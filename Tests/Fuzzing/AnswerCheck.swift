@testable import LoginCore

extension Check {
  /// The answers of the other endpoints: the name of an endpoint in the first line, and an answer in the rest.
  static let answers = Check(growing: [
    ("members", { elements($0, from: "registration\n200 \n{", to: "}") { "\"a\($0)\":1" } }),
    ("redirects", { elements($0, from: redirects, to: "]}") { "\"https://a.example/\($0)\"" } }),
  ]
  ) { bytes in
    var input = Input(bytes)
    let endpoint = input.text()
    let response = Samples.response(&input)
    do throws(Failure) {
      switch endpoint {
      case "device": check(try DeviceAuthorization(response))
      case "registration": try checkRegistration(response)
      case "userinfo": check(try UserinfoResponse(response, subject: "me"))
      case "introspection": _ = try Introspection(response)
      case "page":
        throw .refusal(page: "https://as.example/error", body: response.body)
      default: return
      }
    } catch {
      checkText(of: error)
    }
  }

  private static let redirects = "registration\n200 \n{\"client_id\":\"a\",\"redirect_uris\":["

  private static func check(_ answer: DeviceAuthorization) {
    require((1...86_400).contains(answer.expiresIn), "a device code lives for a day at most")
    require((1...answer.expiresIn).contains(answer.interval), "the interval is not longer than the lifetime")
    require(
      isShowable(answer.userCode ?? "") && answer.userCode?.isEmpty == false,
      "a code can be shown: \(answer.userCode ?? "")")
    let shown = answer.verificationURI
    require(isShowable(shown), "an address can be shown: \(shown)")
    let server = require(server(of: shown), "an address has a server: \(shown)")
    if let complete = answer.verificationURIComplete {
      require(self.server(of: complete) == server, "\(complete) leads to the server of \(shown)")
    }
  }

  /// Returns the part before the path in lower case and without a default port.
  private static func server(of address: String) -> String? {
    let parts = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].isEmpty else { return nil }
    let scheme = parts[0].lowercased()
    var host = parts[2].prefix { !"/?#".contains($0) }.lowercased()
    if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
      let port = host[host.index(after: colon)...].drop { $0 == "0" }
      let isUsual = port.isEmpty || port == (scheme == "https:" ? "443" : "80")
      host = String(host[..<colon]) + (isUsual ? "" : ":\(port)")
    }
    return host.isEmpty ? nil : "\(scheme)//\(host)"
  }

  private static func checkRegistration(_ response: HTTPResponse) throws(Failure) {
    let login = Samples.login
    let request = try RegistrationRequest(
      RegistrationRequest.Metadata(name: "app", redirectURIs: [login.redirectURI]), at: login.provider)
    let client = try RegisteredClient(response, to: request, at: Samples.now)
    let again = require(
      RegisteredClient(json: client.json), "a client can be read again: \(client.json.text)")
    require(again == client, "a client is read back unchanged: \(client.json.text)")
    if let management = client.management?.endpoint.description {
      require(!isNear(management), "a server elsewhere names no address in a private network: \(management)")
    }
    guard let slot = ClientSlot(login.provider, login.redirectURI) else { return }
    let kept = try? RegisteredClient(document: client.document(at: slot), at: slot)
    require(kept == client, "a client is kept unchanged")
  }

  /// True for an address of this machine or of a private network. A name may begin like a number.
  private static func isNear(_ address: String) -> Bool {
    let host = (server(of: address) ?? "").drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != ":" }
    let isNumber = host.allSatisfy { $0.isNumber || $0 == "." }
    return host == "localhost" || address.has("://[::1]")
      || isNumber && ["127.", "10.", "192.168."].contains(where: host.hasPrefix)
  }

  private static func check(_ answer: UserinfoResponse) {
    require(answer.claims["sub"] == "me", "claims about another user are refused")
    require(answer.json["checks"] == ["sub": "verified"], "only the subject is reported as checked")
  }
}
