/// Reads the JSON object in the answer of an endpoint that has its errors as RFC 6749 section 5.2 has them.
enum EndpointAnswer {
  /// The members; a redirect, an error and anything that is not JSON are refused.
  static func members(
    of response: HTTPResponse, from endpoint: EndpointName, accepting statuses: Set<Int> = [200]
  ) throws(Failure) -> JSONObject {
    let members = try JSONReader.members(of: response.body) { fault -> Failure in
      .network(.badResponse(.notJSON(fault.reason, status: response.status, from: endpoint)))
    }
    if let error = ProviderError(members) { throw .provider(error) }
    guard statuses.contains(response.status) else {
      throw .network(.badResponse(.status(response.status, from: endpoint)))
    }
    return members
  }
}
