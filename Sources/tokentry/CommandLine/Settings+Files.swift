import Language
import GLibSupport
import LoginCore
import Platform
import SignIn

extension Settings {
  /// Returns the settings with the contents of the files that they name, and with secrets from the environment.
  ///
  /// Calls `asksFor` with the format of the answer as soon as a request document has said it.
  @GLibActor
  func completed(
    for command: Command, _ environment: Environment, _ asksFor: (_ output: String) -> Void
  ) async throws(Failure) -> Settings {
    var settings = self
    if let path = self[.request] {
      let file = InputFile(.request, path)
      if file.isStandardInput, self[.navigations] == "-" {
        throw .standardInputTwice(Option.request.flag, Option.navigations.flag)
      }
      let bytes = try await file.readOwn(limit: RequestDocument.maximumSize)
      if self[.output] == nil, let output = RequestDocument.output(in: bytes) { asksFor(output) }
      settings.fill(from: try RequestDocument(bytes, for: command).settings)
    }
    if let path = settings[.tokenFile] { settings.token = try await settings.readToken(path) }
    if let path = settings[.post] {
      let file = InputFile(.post, path)
      if file.isStandardInput,
        let other = [Option.request, .navigations].first(where: { settings[$0] == "-" })
      {
        throw .standardInputTwice(other.flag, file.flag)
      }
      let bytes = try await file.readOwn(limit: PostedForm.maximumSize, othersMayRead: true)
      guard let form = PostedForm(bytes) else {
        throw .takes(file.flag, "a file with an encoded form, or with a page whose only form is posted")
      }
      settings.postedForm = form
    }
    settings.authorizationDetails = try await settings.readAuthorizationDetails()
    settings.clientSecret = try await settings.secret(
      .clientSecretFile, settings.clientSecret, "client_secret", environment.text("TOKENTRY_CLIENT_SECRET"))
    if let path = settings[.clientKeyFile] {
      if settings.clientKey != nil { throw .contradiction(Option.clientKeyFile.flag, "client_key") }
      settings.clientKey = ClientKey(try await InputFile(.clientKeyFile, path).readText())
    }
    settings.password = try await settings.secret(
      .passwordFile, settings.password, "password", environment.text("TOKENTRY_PASSWORD"))
    settings.initialAccessToken = try await settings.secret(
      .initialAccessTokenFile, settings.initialAccessToken, "initial_access_token", nil)
    try settings.takeTest(from: environment, for: command)
    settings.formValues = try await settings.readForm()
    return settings
  }

  /// Takes over the variables for the tests of an application whose command line cannot be changed. Options win.
  private mutating func takeTest(from environment: Environment, for command: Command) throws(Failure) {
    guard command.options.contains(.headlessTest) else { return }
    if environment["TOKENTRY_HEADLESS_TEST"] == "1", !has(.headlessTest) {
      try set(.headlessTest, "", as: Option.headlessTest.flag)
    }
    let isOfTokentryItself = command == .login && isBareTest
    guard has(.headlessTest), !isOfTokentryItself, !has(.form), !has(.navigations) else { return }
    if let path = try environment.text("TOKENTRY_NAVIGATIONS") {
      try set(.navigations, path, as: "TOKENTRY_NAVIGATIONS")
    }
    for line in (try environment.text("TOKENTRY_FORM") ?? "").parts(at: "\n") where !line.isEmpty {
      try set(.form, line, as: "TOKENTRY_FORM")
    }
  }

  /// Returns the secret in the file that an option names, or the one from the request document, or the one from the
  /// environment. Refuses a secret in both the file and the document.
  @GLibActor
  private func secret<Role>(
    _ option: Option, _ given: Secret<Role>?, _ member: String, _ variable: String?
  ) async throws(Failure) -> Secret<Role>? {
    guard let path = self[option] else { return given ?? variable.map { Secret($0) } }
    if given != nil { throw .contradiction(option.flag, member) }
    return Secret(try await InputFile(option, path).readSecret())
  }

  /// Returns the values for forms. A value that begins with `@` names a file, so that a password need not be on the
  /// command line.
  @GLibActor
  private func readForm() async throws(Failure) -> [Parameter] {
    var values: [Parameter] = []
    for pair in pairs(.form) {
      guard pair.value.utf8.first == UInt8(ascii: "@") else {
        values.append(pair)
        continue
      }
      let name = "\(Option.form.flag) \(pair.name.forDisplay(limit: 60))"
      let file = InputFile(flag: name, path: pair.value.withoutFirstByte)
      var bytes = try await file.readOwn(limit: 64 * 1_024)
      if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      guard let value = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(name) }
      values.append(Parameter(pair.name, value))
    }
    return values
  }

  /// Returns the array of RFC 9396 section 2. Each of its objects has a type.
  @GLibActor
  private func readAuthorizationDetails() async throws(Failure) -> String? {
    guard let path = self[.authorizationDetails] else { return nil }
    let option = Option.authorizationDetails
    let bytes = try await InputFile(option, path).read(limit: 64 * 1_024)
    let details = (try? JSONReader.read(bytes))?.array
    guard let details, !details.isEmpty, details.allSatisfy({ $0.object?["type"]?.string != nil }) else {
      throw .takes(
        option.flag, "a file with a JSON array of objects, each with a type (RFC 9396)")
    }
    return JSONValue.array(details).text
  }

  @GLibActor
  private func readToken(_ path: String) async throws(Failure) -> Token {
    let file = InputFile(.tokenFile, path)
    if token != nil { throw .contradiction(file.flag, "token") }
    if file.isStandardInput, let other = [Option.request, .navigations].first(where: { self[$0] == "-" }) {
      throw .standardInputTwice(other.flag, file.flag)
    }
    let bytes = try await file.readOwn(limit: RequestDocument.maximumSize)
    let value = try? JSONReader.read(bytes, maximumSize: RequestDocument.maximumSize)
    guard let token = value?.object.flatMap(Token.init(json:)) else {
      let reason: Message = "this is not a token as login prints it"
      throw Failure(.invalidOption, "\(file.flag): \(reason)")
    }
    return token
  }
}

extension Settings {
  /// Hides the secrets of the caller in all messages.
  func hideSecrets() {
    let texts: [String?] = [
      clientSecret?.revealed(), clientKey?.revealed(), password?.revealed(), refreshToken?.revealed(),
      initialAccessToken?.revealed(), self[.state], self[.nonce], self[.codeVerifier],
    ]
    for text in texts { if let text { Messages.hide(text) } }
    // A page may give its password field any name, so all values from files are hidden.
    let fromFiles = Set(pairs(.form).filter { $0.value.utf8.first == UInt8(ascii: "@") }.map(\.name))
    for value in formValues where fromFiles.contains(value.name) || value.namesPassword {
      Messages.hide(value.value)
    }
    if let token { Messages.hide(secretsIn: Array(token.json(at: SystemClock().now()).text.utf8)) }
  }
}

extension Parameter {
  fileprivate var namesPassword: Bool {
    let name = name.lowercased()
    return Redaction.secretNames.contains(name)
      || ["pass", "pw", "pin", "otp"].contains(where: name.hasPrefix)
  }
}
