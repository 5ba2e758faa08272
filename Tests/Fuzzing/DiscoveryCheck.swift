@testable import LoginCore

extension Check {
  /// The metadata of authorization servers and APIs: the address that was asked in the first line, and an answer in the
  /// rest.
  static let discovery = Check(growing: [
    ("members", { elements($0, from: "\(asked)\n200 \n{", to: "}") { "\"a\($0)\":1" } }),
    (
      "servers",
      {
        elements($0, from: resource + "\"authorization_servers\":[", to: "]}") {
          "\"https://a.example/\($0)\""
        }
      }
    ),
    ("scopes", { elements($0, from: resource + "\"scopes_supported\":[", to: "]}") { "\"s\($0)\"" } }),
  ]
  ) { bytes in
    var input = Input(bytes)
    let asked = input.text()
    let response = Samples.response(&input)
    for order in [Discovery.Order.openID, .resource] {
      guard let issuer = try? Issuer(asked) else { break }
      do throws(Failure) { try checkServer(issuer, order, response) } catch { checkText(of: error) }
    }
    guard let resource = try? ProtectedResource(asked) else { return }
    do throws(Failure) { try checkResource(resource, response) } catch { checkText(of: error) }
  }

  private static let asked = "https://api.example"
  private static let resource = "\(asked)\n200 \n{\"resource\":\"\(asked)\","

  private static func checkServer(
    _ issuer: Issuer, _ order: Discovery.Order, _ response: HTTPResponse
  ) throws(Failure) {
    let discovery: Discovery
    do throws(Failure) { discovery = try Discovery(of: issuer, order) } catch {
      return checkText(of: error)
    }
    let own = (try? Origin(server(of: issuer.description)))?.description ?? ""
    for place in discovery.endpoints {
      require(place.origin.bytes == own.bytes, "\(issuer) is asked at its own server, not at \(place)")
      require(
        contains(place.description.bytes, "/.well-known/".bytes),
        "\(issuer) is asked at its own server, not at \(place)")
    }
    guard let members = try discovery.metadata(response), let place = discovery.endpoints.first else {
      return
    }
    require(members["issuer"]?.string?.bytes == issuer.description.bytes, "the metadata name \(issuer)")
    let server = try AuthorizationServer(members, of: issuer, at: place)
    require(
      members["code_challenge_methods_supported"]?.array?.contains("S256") == true, "\(issuer) offers S256")
    for (name, endpoint) in server.provider.endpoints {
      checkReach(of: endpoint.description, namedBy: issuer.description)
      require(
        (try? Endpoint(members[name.rawValue]?.string ?? "")) == endpoint,
        "\(endpoint) is the \(name) of the metadata")
    }
    let token = server.provider.endpoints[.token]
    require(token != nil, "\(issuer) has a token endpoint")
    require(
      server.provider.sendsIssuer || token?.origin.bytes == own.bytes,
      "\(issuer) does not use \(token?.origin ?? "")")
  }

  private static func checkResource(_ asked: ProtectedResource, _ response: HTTPResponse) throws(Failure) {
    for address in asked.metadataAddresses {
      require(
        server(of: address) == server(of: asked.description),
        "\(asked) is asked at its own server, not at \(address)")
    }
    guard let place = (try? asked.endpoint) else { return }
    let found = try ResourceMetadata(response, at: place, about: asked, isNamed: false)
    guard let found else { return }
    let named = require(try? ProtectedResource(found.resource), "\(found.resource) is an address")
    let (whole, part) = (path(of: named.description), path(of: asked.description))
    require(
      server(of: named.description) == server(of: asked.description), "\(named) is on the server of \(asked)")
    require(part.starts(with: whole), "\(named) includes \(asked)")
    for issuer in found.authorizationServers {
      checkReach(of: issuer.description, namedBy: asked.description)
    }
  }

  /// Scheme, host and port of a valid address.
  private static func server(of address: String) -> String {
    let parts = (try? WebAddress(address))?.description.split(
      separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.map { String($0.prefix(3).joined(separator: "/").prefix { $0 != "?" }) } ?? ""
  }

  private static func path(of address: String) -> [Substring] {
    let page = address.prefix { $0 != "?" }
    return Array(page.split(separator: "/").dropFirst(2))
  }

  /// Checks that a server elsewhere does not name an address on this machine or in a private network.
  private static func checkReach(of address: String, namedBy server: String) {
    require(!isPrivate(address) || isPrivate(server), "\(server) does not name \(address)")
  }

  private static func isPrivate(_ address: String) -> Bool {
    guard let origin = (try? WebAddress(address))?.origin, let start = origin.startOfAuthority else {
      return false
    }
    let host = origin[start...].prefix { $0 != ":" || origin[start] == "[" }
    if host == "localhost" || ["[::1]", "[fd", "[fe8"].contains(where: host.hasPrefix) { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
      && ["127.", "10.", "192.168.", "169.254."].contains(where: host.hasPrefix)
  }
}
