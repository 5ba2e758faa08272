import Testing

@testable import LoginCore

@Suite("ResourceFault")
struct ResourceFaultTests {
  private func fault(_ status: Int, _ challenge: String? = nil, isUntried: Bool = false) -> ResourceFault? {
    let headers = challenge.map { [Parameter("WWW-Authenticate", $0)] } ?? []
    return ResourceFault(HTTPResponse(status: status, headers: headers), isUntried: isUntried)
  }

  @Test("a success is no fault", arguments: [200, 204, 299])
  func success(status: Int) { #expect(fault(status, "Bearer error=x") == nil) }

  @Test(
    "an answer is a refusal, may be better the next time, or is neither",
    arguments: [
      (300, false, false), (302, false, false), (401, true, false), (403, true, false), (404, true, false),
      (408, true, true),
      (429, true, true), (500, false, true), (503, false, true),
    ])
  func kinds(status: Int, isRefusal: Bool, isPassing: Bool) throws {
    let fault = try #require(self.fault(status))
    #expect(fault.isRefusal == isRefusal)
    #expect(fault.isPassing == isPassing)
    #expect(fault.challenge == nil)
  }

  @Test("a request that could not be sent again may be better the next time")
  func untried() throws {
    #expect(try #require(fault(401, isUntried: true)).isPassing)
  }

  @Test("what the server says in its challenge is kept")
  func challenge() throws {
    let fault = try #require(self.fault(403, "Bearer error=\"no_money\""))
    #expect(fault.challenge == ProviderError(code: "no_money"))
  }
}
