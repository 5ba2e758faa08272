import LoginCore
import SignIn

/// The command of `GOAUTH` (`go help goauth`). go runs it once without an address, and again with each address at which
/// a server has refused a request, even if the server only lacks a module. The answer holds header fields for a server.
struct GoHelper: HelperProtocol {
  static let name = "go"
  static let callers = "go"
  static let setUp = ["export GOAUTH='tokentry helper go' GOPROXY=https://modules.example"]

  private let broker: TokenBroker

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    guard broker.arguments.count < 2 else { throw broker.malformed }
  }

  /// go sends the fields to the whole server, so an account for a part of it is not enough.
  static func account(for wish: TokenWish, in kept: KeptAccounts) async throws(Failure) -> Account {
    guard let origin = wish.address?.destinations.first?.origin, let server = try? Destination(origin) else {
      return try await kept.chosen(for: wish)
    }
    return try await kept.chosen(for: wish) { $0.isMeant(for: server) }
  }

  /// Other commands in `GOAUTH` may know the server.
  static func refusal(of failure: Failure) -> Refusal {
    if failure.isOfOtherServer { Refusal(output: { _ in "" }, isSaid: false, status: 0) } else { .silent }
  }

  func text() async throws(Failure) -> String {
    guard let url = broker.arguments.first else { return "" }
    let address = TokenWish.Address(url: url)
    // go compares the server as text, so it has to be written as go writes it.
    guard url.hasPrefix("https://"), let authority = address.authority else {
      throw .noAccount(for: address.shown)
    }
    let granted = try await broker.token(broker.wish(address))
    return "https://\(authority)\n\nAuthorization: \(try granted.authorization())\n\n"
  }
}
