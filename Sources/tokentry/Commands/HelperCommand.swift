import LoginCore

/// `tokentry helper NAME`: answers a program that asks its helper for a token. The user is asked to sign in only if the
/// program says that there is a user.
struct HelperCommand: Action {
  private let helperProtocol: any HelperProtocol
  private let broker: TokenBroker

  static let options = HelperProtocols.all.reduce(into: [Option]()) { options, helperProtocol in
    options += helperProtocol.options.filter { !options.contains($0) }
  }

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    guard let type = wishes.helper else { throw .defect() }
    broker = try TokenBroker(type, wishes, shared, mayAsk: type.mayAsk(shared.environment))
    broker.log(heard: Array(([type.name] + broker.arguments).joined(separator: " ").utf8))
    helperProtocol = try type.init(broker)
  }

  func text() async throws(Failure) -> String {
    let text = try await helperProtocol.text()
    broker.log(said: text)
    return text
  }
}

/// `tokentry helper`: lists the programs that can be answered, and how to set each up.
struct HelperListCommand: Action {
  init(_ wishes: Wishes, _ shared: Composition) {}

  func text() async throws(Failure) -> String {
    let paragraphs = HelperProtocols.all.map { helperProtocol in
      let link = helperProtocol.link.map { " (as \($0))" } ?? ""
      let lines =
        ["\(helperProtocol.name): \(helperProtocol.callers)\(link)"] + helperProtocol.setUp.map { "  \($0)" }
      return lines.map { $0 + "\n" }.joined()
    }
    return paragraphs.joined(separator: "\n")
  }
}
