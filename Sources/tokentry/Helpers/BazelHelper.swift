import LoginCore
import Wording

/// Bazel's credential helper, and that of others (EngFlow/credential-helper-spec): an address in, header fields out. What
/// it cannot answer is an error, as the specification wants it.
struct BazelHelper: HelperProtocol {
  static let name = "bazel"
  static let link: String? = "bazel-credential-tokentry"
  static let callers = "Bazel, Buck2"
  static let setUp = ["common --credential_helper=*.build.example=bazel-credential-tokentry   in .bazelrc"]

  private let desk: TokenBroker

  init(_ desk: TokenBroker) throws(Failure) {
    self.desk = desk
    try desk.checkArguments(["get"])
  }

  func text() async throws(Failure) -> String {
    // Members that are not known are none of a helper's business.
    guard let address = try desk.members(of: try await desk.input())["uri"]?.string else {
      throw desk.malformed
    }
    let account = try await desk.account(at: Self.asHTTP(address))
    let object: JSONObject = [
      "headers": ["Authorization": [.string(try account.authorization())]],
      "expires": account.token.expiresAt.map { .string($0.description) },
    ]
    return object.text + "\n"
  }

  /// gRPC is HTTP.
  private static func asHTTP(_ address: String) -> String {
    for (scheme, other) in [("grpcs://", "https://"), ("grpc://", "http://")] where address.hasPrefix(scheme)
    {
      return other + address.dropFirst(scheme.utf8.count)
    }
    return address
  }
}
