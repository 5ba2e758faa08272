import GLibSupport
import LoginCore
import Platform
import SignIn

extension Wishes {
  /// Returns the wishes with those of the document of `--options` and of the environment, and with the contents of the files
  /// that they name.
  ///
  /// Calls `asksFor` with the format of the answer as soon as the document has said it.
  @GLibActor
  func completed(
    for command: Command, _ environment: Environment, _ asksFor: (_ output: String) -> Void
  ) async throws(Failure) -> Wishes {
    var wishes = self
    try wishes.checkStandardInput()
    if let path = request.document {
      let file = InputFile(RequestWishes.option("options"), path)
      let bytes = try await file.readOwn(limit: OptionsDocument.maximumSize)
      if answer.output == nil, let output = OptionsDocument.output(in: bytes) { asksFor(output) }
      try wishes.take(try OptionsDocument.wishes(in: bytes, for: command))
      try wishes.checkStandardInput()
    }
    try wishes.takeSecrets(from: environment)
    try wishes.takeTest(from: environment, for: command)
    try await wishes.readFiles()
    return wishes
  }

  private mutating func takeSecrets(from environment: Environment) throws(Failure) {
    let variables = [
      ("TOKENTRY_PASSWORD", RequestWishes.option("password")),
      ("TOKENTRY_CLIENT_SECRET", ProviderWishes.option("client_secret")),
    ]
    // A file wins over the environment.
    for (name, option) in variables where option.companion.map(has) != true {
      guard let text = try environment.text(name) else { continue }
      try take([try Given(option, text, as: name)])
    }
  }

  /// Takes over the variables for the tests of an application whose command line cannot be changed. Options win.
  private mutating func takeTest(from environment: Environment, for command: Command) throws(Failure) {
    let (test, navigations, form) = (
      AskingWishes.option("headless-test"), AskingWishes.option("navigations"), AskingWishes.option("form")
    )
    let isAsked = environment["TOKENTRY_HEADLESS_TEST"] == "1"
    guard isAsked || asking.isTest, command.options.contains(test) else { return }
    if isAsked {
      try take([try Given(test, "", as: "TOKENTRY_HEADLESS_TEST")])
    }
    let isOfTokentryItself = command == .login && isBareTest
    guard asking.isTest, !isOfTokentryItself, first(of: [navigations, form]) == nil else { return }
    var values: [Given] = []
    if let path = try environment.text("TOKENTRY_NAVIGATIONS") {
      values.append(try Given(navigations, path, as: "TOKENTRY_NAVIGATIONS"))
    }
    for line in (try environment.text("TOKENTRY_FORM") ?? "").parts(at: "\n") where !line.isEmpty {
      values.append(try Given(form, line, as: "TOKENTRY_FORM"))
    }
    try take(values)
  }

  /// The options that read standard input.
  private var readersOfInput: [Option] {
    let readers =
      RequestWishes.options("options") + AskingWishes.options("navigations")
      + RequestWishes.options("token-file") + PageWishes.options("post")
    return readers.filter { option in given.contains { $0.option == option && $0.text == "-" } }
  }

  /// The option that reads standard input, if one does.
  var readerOfInput: Option? { readersOfInput.first }

  private func checkStandardInput() throws(Failure) {
    let readers = readersOfInput
    if readers.count > 1 { throw .standardInputTwice(readers[0].flag, readers[1].flag) }
  }
}

extension Wishes {
  /// True for a headless test without a provider, which tests Tokentry itself.
  var isBareTest: Bool {
    asking.isTest && !provider.names(.authorization) && !provider.isNamed && provider.clientID == nil
      && account.names.isEmpty && request.resources.isEmpty && asking.navigations == nil
      && asking.form.isEmpty
  }
}
