import GLibSupport
import LoginCore
import LoginWays
import Wording

/// A page to which FreeRDP takes its user, and what came of it.
struct RemoteDesktopPage: Sendable {
  /// Why there is no answer: in the words that FreeRDP knows.
  struct Reason: Error, Sendable {
    let text: String
  }

  private let desk: TokenBroker
  private let command: NavigateCommand
  /// How long the user may take.
  let patience: Duration

  /// As long as FreeRDP's own helpers wait if they are not told.
  private static let usualPatience: Int64 = 180_000

  /// Nothing for what is no such page. What it keeps is of this session, below the folder.
  init?(_ parameters: JSONObject, _ desk: TokenBroker, session: String, in folder: String?) {
    guard let url = parameters["url"]?.string, let redirectURI = parameters["redirect_uri"]?.string,
      case let patience = parameters["timeout_ms"] ?? 0, let milliseconds = patience.truncated,
      (0...86_400_000).contains(milliseconds)
    else { return nil }
    var settings = desk.settings
    do throws(Failure) {
      try settings.set(.url, url, as: "url")
      try settings.set(.redirectURI, redirectURI, as: "redirect_uri")
      if let title = parameters["title"]?.string, !title.isEmpty {
        try settings.set(.title, title, as: "title")
      }
      try settings.set(.session, session, as: "session")
      command = try NavigateCommand(settings, desk.run, cookiesIn: folder)
    } catch {
      desk.run.messages.report(error, isSaid: false)
      return nil
    }
    self.desk = desk
    self.patience = .milliseconds(milliseconds == 0 ? Self.usualPatience : milliseconds)
  }

  /// The address at which the page led back; else why there is none.
  @GLibActor
  func answer() async -> Result<String, Reason> {
    do throws(Failure) {
      let callback = try await command.callback()
      let query = try callback.channels().query
      if let error = query["error"] {
        let detail = query["error_subcode"].map { ": \($0)" } ?? ""
        return .failure(Reason(text: (error + detail).forDisplay(limit: 200)))
      }
      return .success(try callback.text())
    } catch {
      desk.run.messages.report(error)
      if case .user(.cancelled) = error { return .failure(Reason(text: "user_cancelled")) }
      return .failure(Reason(text: Report(error).verdict.code))
    }
  }
}
