import Testing

@testable import LoginCore

@Suite("ClientDeletion")
struct ClientDeletionTests {
  // RFC 7592 sections 2.3.
  @Test("a client is deleted at its own address with its own token")
  func deletion() throws {
    let management = RegisteredClient.Management(
      endpoint: try Endpoint("https://as.test/c?x=1"), token: AccessToken("t"))
    let request = try ClientDeletion(management).httpRequest
    #expect(request.method == .delete)
    #expect(request.endpoint.description == "https://as.test/c?x=1")
    #expect(request.values(of: "Authorization") == ["Bearer t"])
    #expect(try ClientDeletion.isDone(HTTPResponse(status: 204)))
    #expect(try ClientDeletion.isDone(HTTPResponse(status: 401)), "it was unknown already")
    #expect(try !ClientDeletion.isDone(HTTPResponse(status: 405)), "this provider deletes none")
    let busy = ProviderError(code: "temporarily_unavailable", remark: .clientNotDeleted)
    expectFailure(.provider(busy)) { _ = try ClientDeletion.isDone(HTTPResponse(status: 503)) }
    expectBadResponse(.status(500, from: .registration)) {
      _ = try ClientDeletion.isDone(HTTPResponse(status: 500))
    }
  }
}
