@testable import LoginCore

extension Room {
  /// What the other endpoints answer: the name of one in the first line, and an answer in the rest.
  static let answers = Room(
    name: "answers", longest: 1_024,
    growing: [
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
        throw .provider(ProviderError(page: "https://as.example/error", body: response.body))
      default: return
      }
    } catch {
      checkWords(of: error)
    }
  }

  private static let redirects = "registration\n200 \n{\"client_id\":\"a\",\"redirect_uris\":["

  private static func check(_ answer: DeviceAuthorization) {
    demand((1...86_400).contains(answer.lifetime), "nobody waits for longer than a day")
    demand((1...answer.lifetime).contains(answer.interval), "somebody is asked at least once")
    demand(isShowable(answer.userCode) && !answer.userCode.isEmpty, "a code can be shown: \(answer.userCode)")
    let shown = answer.verificationURI
    demand(isShowable(shown), "an address can be shown: \(shown)")
    let server = demand(server(of: shown), "an address has a server: \(shown)")
    if let complete = answer.completeURI {
      demand(self.server(of: complete) == server, "\(complete) leads to another server than \(shown)")
    }
  }

  /// What stands before the path, without regard to case or to the usual port.
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
    let client = try RegisteredClient(response, to: request)
    let again = demand(RegisteredClient(json: client.json), "a client can be read again: \(client.json.text)")
    demand(again == client, "a client is read as it was: \(client.json.text)")
    if let management = client.management?.endpoint.description {
      demand(!isNear(management), "a server from elsewhere names no address inside: \(management)")
    }
    guard let slot = ClientSlot(login.provider, login.redirectURI) else { return }
    let kept = try? RegisteredClient(document: client.document(at: slot), at: slot)
    demand(kept == client, "a client is kept as it was")
  }

  /// Whether an address is one of this machine or of its network. A name may begin as a number does.
  private static func isNear(_ address: String) -> Bool {
    let host = (server(of: address) ?? "").drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != ":" }
    let isNumber = host.allSatisfy { $0.isNumber || $0 == "." }
    return host == "localhost" || address.has("://[::1]")
      || isNumber && ["127.", "10.", "192.168."].contains(where: host.hasPrefix)
  }

  private static func check(_ answer: UserinfoResponse) {
    demand(answer.claims["sub"] == "me", "claims about somebody else are nobody's")
    demand(answer.json["checks"] == ["sub": "verified"], "what is claimed was verified")
  }
}
