import Testing

@testable import LoginCore

@Suite("HTTPRequest")
struct HTTPRequestTests {
  @Test("a caller's Accept takes the place of ours", arguments: ["Accept", "accept"])
  func accept(name: String) throws {
    let endpoint = try Endpoint("https://as.test/t")
    let other = name == "accept" ? "Accept" : "accept"
    let own = [Parameter(name, "application/x")]
    let requests = [
      HTTPRequest(get: endpoint, headers: own), HTTPRequest(delete: endpoint, headers: own),
      HTTPRequest(post: [], to: endpoint, headers: own),
      HTTPRequest(postJSON: [:], to: endpoint, headers: own),
    ]
    for request in requests {
      #expect(request.values(of: name) + request.values(of: other) == ["application/x"])
    }
    #expect(HTTPRequest(get: endpoint).values(of: "Accept") == ["application/json"])
  }
}
