import LoginCore
import Wording

/// `tokentry helper NAME`: answers a program that asks its helper for a token. Nobody is asked to sign in unless the
/// program says that somebody is there.
struct HelperCommand: Action {
  private let helperProtocol: any HelperProtocol
  private let desk: TokenBroker

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    guard let type = settings.helperProtocol else { throw .defect(.here()) }
    desk = TokenBroker(settings, run, mayAsk: type.mayAsk(settings, run.environment))
    desk.log(heard: Array(([type.name] + desk.arguments).joined(separator: " ").utf8))
    helperProtocol = try type.init(desk)
  }

  func text() async throws(Failure) -> String {
    let text = try await helperProtocol.text()
    desk.log(said: text)
    return text
  }
}

/// `tokentry helper`: the programs that can be answered, and how each is told of its helper.
struct HelperListCommand: Action {
  init(_ settings: Settings, _ run: Composition) {}

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
