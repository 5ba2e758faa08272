import LoginCore

/// The credential helper of Bazel and other programs (EngFlow/credential-helper-spec): an address in, header fields out.
/// An address without a token is an error, as the specification demands.
struct BazelHelper: HelperProtocol {
  static let name = "bazel"
  static let link: String? = "bazel-credential-tokentry"
  static let callers = "Bazel, Buck2"
  static let settings = [".bazelrc"]
  static let setUp = ["common --credential_helper=*.build.example=bazel-credential-tokentry   in .bazelrc"]

  private let broker: TokenBroker

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    try broker.checkArguments(["get"])
  }

  func text() async throws(Failure) -> String {
    // The specification allows unknown members.
    guard let address = try broker.members(of: try await broker.input())["uri"]?.string else {
      throw broker.malformed
    }
    let granted = try await broker.token(at: Self.asHTTP(address))
    let object: JSONObject = [
      "headers": ["Authorization": [.string(try granted.authorization())]],
      "expires": granted.token.expiresAt.map { .string($0.description) },
    ]
    return object.text + "\n"
  }

  /// gRPC runs over HTTP.
  private static func asHTTP(_ address: String) -> String {
    for (scheme, other) in [("grpcs://", "https://"), ("grpc://", "http://")] where address.hasPrefix(scheme)
    {
      return other + address.dropFirst(scheme.utf8.count)
    }
    return address
  }
}
