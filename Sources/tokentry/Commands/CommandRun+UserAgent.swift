import LoginCore
import UserAgents

extension CommandRun {
  /// The way to the user that the settings ask for.
  func userAgent(_ settings: Settings) async throws(Failure) -> any UserAgent {
    guard settings.has(.headlessTest) else {
      if let option = [Option.navigations, .form].first(where: settings.has) {
        throw .caller(
          .invalidConfiguration(
            "\(option.flag) takes the place of a user in tests", hint: "add --headless-test"))
      }
      throw .display(
        .noUserAgent(
          "this version has no window and opens no browser", hint: "--headless-test logs in without"))
    }
    guard let path = settings[.navigations] else {
      let loader = TransportPageLoader(try await transport(settings, keepsCookies: true))
      return HeadlessAgent(loader: loader, values: try await formValues(settings), observe: observer)
    }
    if settings.has(.form) {
      throw .caller(.invalidConfiguration("--form and --navigations contradict each other"))
    }
    let file = InputFile(flag: Option.navigations.flag, path: path)
    return NavigationsAgent(descriptor: try file.open(), observe: observer)
  }

  /// Tells what is decided about each navigation, for a trace.
  var observer: @Sendable (_ uri: String, _ decision: String) -> Void {
    { [messages] uri, decision in messages.trace("\(decision): \(RedactedURL(uri))") }
  }
}
