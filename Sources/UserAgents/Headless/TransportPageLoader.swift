import LoginCore
import LoginWays

/// Loads pages through a transport, which keeps the cookies.
public struct TransportPageLoader: PageLoader {
  private let transport: any HTTPTransport

  /// The transport has to keep cookies, or no provider will know who signed in.
  public init(_ transport: any HTTPTransport) { self.transport = transport }

  public func load(_ request: PageRequest) async throws(Failure) -> Page {
    let endpoint: Endpoint
    do throws(AddressFault) {
      endpoint = try Endpoint(request.url)
    } catch {
      throw .application(HeadlessFault.address(request.url, error))
    }
    let html = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
    let response = try await transport.send(
      request.form.map { HTTPRequest(post: $0, to: endpoint, accepting: html) }
        ?? HTTPRequest(get: endpoint, accepting: html))
    return Page(status: response.status, location: response[header: "Location"], body: response.body)
  }
}
