/// Reads the JSON object in the answer of an endpoint that has its errors as RFC 6749 section 5.2 has them.
enum EndpointAnswer {
  /// The members; a redirect, an error and anything that is not JSON are refused.
  static func members(
    of response: HTTPResponse, from endpoint: EndpointName, accepting statuses: Set<Int> = [200]
  ) throws(Failure) -> JSONObject {
    let members: JSONObject
    do throws(JSONFault) {
      guard let object = try JSONReader.read(response.body).object else {
        throw JSONFault(reason: .notAnObject, line: 1)
      }
      members = object
    } catch {
      throw .network(.badResponse(.notJSON(error.reason, status: response.status, from: endpoint)))
    }
    if let error = ProviderError(members) { throw .provider(error) }
    guard statuses.contains(response.status) else {
      throw .network(.badResponse(.status(response.status, from: endpoint)))
    }
    return members
  }
}
