import LoginCore
import UserAgents

extension CommandRun {
  /// The way to the user that the settings ask for.
  func userAgent(_ settings: Settings) throws(Failure) -> any UserAgent {
    guard settings.has(.headlessTest) else {
      if settings.has(.navigations) {
        throw .caller(
          .invalidConfiguration(
            "--navigations takes the place of a user in tests", hint: "add --headless-test"))
      }
      throw .display(
        .noUserAgent(
          "this version has no window and opens no browser",
          hint: "--headless-test --navigations FILE logs in from a list of navigations"))
    }
    guard let path = settings[.navigations] else {
      throw .caller(
        .invalidConfiguration(
          "this version follows a list of navigations only, and no pages", hint: "add --navigations FILE"))
    }
    let file = InputFile(flag: Option.navigations.flag, path: path)
    return NavigationsAgent(descriptor: try file.open()) { [messages] uri, decision in
      messages.trace("\(decision): \(RedactedURL(uri))")
    }
  }
}
