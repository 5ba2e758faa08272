extension ResponseFault {
  /// What is no JSON in an answer that is none anyway is not worth a word: a gateway shows a page.
  static func notJSON(
    _ reason: JSONFault.Reason, in response: HTTPResponse, from endpoint: EndpointName
  ) -> ResponseFault {
    (200..<300).contains(response.status)
      ? .notJSON(reason, status: response.status, from: endpoint) : .status(response.status, from: endpoint)
  }
}

/// Reads the JSON object in the answer of an endpoint that has its errors as RFC 6749 section 5.2 has them.
enum EndpointAnswer {
  /// The members; a redirect, an error and anything that is not JSON are refused.
  static func members(
    of response: HTTPResponse, from endpoint: EndpointName, accepting statuses: Set<Int> = [200]
  ) throws(Failure) -> JSONObject {
    let members = try JSONReader.members(of: response.body) { fault -> Failure in
      .network(.badResponse(.notJSON(fault.reason, in: response, from: endpoint)))
    }
    if let error = ProviderError(members, status: response.status) { throw .provider(error) }
    guard statuses.contains(response.status) else {
      throw .network(.badResponse(.status(response.status, from: endpoint)))
    }
    return members
  }
}
