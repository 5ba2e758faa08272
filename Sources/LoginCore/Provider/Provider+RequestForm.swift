extension Provider {
  /// How an endpoint is asked that keeps to no standard.
  public struct RequestForm: Sendable, Equatable, PresetObject {
    /// What is done there.
    public var method = HTTPRequest.Method.get
    /// The names of the parameters that a form carries.
    public var members: [String] = []
    /// The names of those that are in the query even so.
    public var query: [String] = []

    /// As the standards say.
    public init() {}

    static let members: [PresetMember<Self>] = [
      .init("method", .always(.choice(of: [.get, .post]), \.method) { $0.method = $1 }),
      .init("members", .unusual(.list(.text()), \.members) { $0.members = $1 }),
      .init("query", .unusual(.list(.text()), \.query) { $0.query = $1 }),
    ]
  }
}
