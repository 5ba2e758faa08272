import LoginCore
import Wording

/// `tokentry helper NAME`: answers a program that asks its helper for a token. Nobody is asked to sign in unless the
/// program says that somebody is there.
struct HelperCommand: Action {
  private let personality: any Personality
  private let desk: TokenDesk

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    guard let type = settings.personality else { throw .defect(.here()) }
    desk = TokenDesk(settings, run, mayAsk: type.mayAsk(settings, run.environment))
    desk.log(heard: Array(([type.name] + desk.arguments).joined(separator: " ").utf8))
    personality = try type.init(desk)
  }

  func text() async throws(Failure) -> String {
    let text = try await personality.text()
    desk.log(said: text)
    return text
  }
}

/// `tokentry helper`: the programs that can be answered, and how each is told of its helper.
struct HelperListCommand: Action {
  init(_ settings: Settings, _ run: Composition) {}

  func text() async throws(Failure) -> String {
    let paragraphs = Personalities.all.map { personality in
      let link = personality.link.map { " (as \($0))" } ?? ""
      let lines = ["\(personality.name): \(personality.callers)\(link)"] + personality.setUp.map { "  \($0)" }
      return lines.map { $0 + "\n" }.joined()
    }
    return paragraphs.joined(separator: "\n")
  }
}
