import LoginCore

/// Loads pages for an agent that has no web view: with cookies, and without following redirects.
public protocol PageLoader: Sendable {
  /// Loads a page, or the answer to a form.
  func load(_ request: PageRequest) async throws(Failure) -> Page
}

/// What is loaded.
public struct PageRequest: Sendable, Equatable {
  /// The address, without a fragment.
  public let url: String
  /// The form that is posted, if one is.
  public let form: [Parameter]?

  /// A page, or the answer to a form.
  public init(url: String, posting form: [Parameter]? = nil) {
    self.url = url
    self.form = form
  }
}

/// What came.
public struct Page: Sendable {
  /// The status code.
  public let status: Int
  /// Where the answer leads, as it says.
  public let location: String?
  /// What it shows.
  public let body: [UInt8]

  /// A page, or a redirect.
  public init(status: Int, location: String? = nil, body: [UInt8] = []) {
    self.status = status
    self.location = location
    self.body = body
  }
}
