import Language
import GLibSupport
import LoginCore
import Platform
import SignIn

extension Settings {
  /// Returns the settings with the contents of the files that they name, and with secrets from the environment.
  ///
  /// Calls `asksFor` with the format of the answer as soon as the document of `--options` has said it.
  @GLibActor
  func completed(
    for command: Command, _ environment: Environment, _ asksFor: (_ output: String) -> Void
  ) async throws(Failure) -> Settings {
    var settings = self
    if let path = self[.options] {
      let file = InputFile(.options, path)
      if file.isStandardInput, self[.navigations] == "-" {
        throw .standardInputTwice(Option.options.flag, Option.navigations.flag)
      }
      let bytes = try await file.readOwn(limit: OptionsDocument.maximumSize)
      if self[.output] == nil, let output = OptionsDocument.output(in: bytes) { asksFor(output) }
      settings.fill(from: try OptionsDocument(bytes, for: command).settings)
    }
    if let path = settings[.tokenFile] { settings.token = try await settings.readToken(path) }
    if let path = settings[.post] {
      let file = InputFile(.post, path)
      if file.isStandardInput,
        let other = [Option.options, .navigations].first(where: { settings[$0] == "-" })
      {
        throw .standardInputTwice(other.flag, file.flag)
      }
      let bytes = try await file.readOwn(limit: PostedForm.maximumSize, othersMayRead: true)
      guard let form = PostedForm(bytes) else {
        throw .takes(file.flag, "a file with an encoded form, or with a page whose only form is posted")
      }
      settings.postedForm = form
    }
    settings.clientSecret = try await settings.secret(environment)
    if let path = settings[.clientKeyFile] {
      if settings.clientKey != nil { throw .contradiction(Option.clientKeyFile.flag, "client_key") }
      settings.clientKey = ClientKey(try await InputFile(.clientKeyFile, path).readText())
    }
    if settings.password == nil {
      settings.password = try environment.text("TOKENTRY_PASSWORD").map { Password($0) }
    }
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

  /// Returns the client's secret from its file, or from the document, or from the environment. Refuses a secret in both the
  /// file and the document.
  @GLibActor
  private func secret(_ environment: Environment) async throws(Failure) -> ClientSecret? {
    guard let path = self[.clientSecretFile] else {
      if let clientSecret { return clientSecret }
      return try environment.text("TOKENTRY_CLIENT_SECRET").map { ClientSecret($0) }
    }
    if clientSecret != nil { throw .contradiction(Option.clientSecretFile.flag, "client_secret") }
    return ClientSecret(try await InputFile(.clientSecretFile, path).readSecret())
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

  @GLibActor
  private func readToken(_ path: String) async throws(Failure) -> Token {
    let file = InputFile(.tokenFile, path)
    if token != nil { throw .contradiction(file.flag, "token") }
    if file.isStandardInput, let other = [Option.options, .navigations].first(where: { self[$0] == "-" }) {
      throw .standardInputTwice(other.flag, file.flag)
    }
    let bytes = try await file.readOwn(limit: OptionsDocument.maximumSize)
    let value = try? JSONReader.read(bytes, maximumSize: OptionsDocument.maximumSize)
    guard let token = value?.object.flatMap(Token.init(json:)) ?? Token(line: bytes) else {
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

extension Token {
  /// Reads a bare access token (RFC 6750 section 2.1), as providers show it to copy.
  fileprivate init?(line: [UInt8]) {
    let bytes = line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...]
    guard bytes.allSatisfy({ $0.isLetter || $0.isDigit || "-._~+/=".utf8.contains($0) }), !bytes.isEmpty
    else { return nil }
    self.init(json: ["access_token": .string(String(decoding: bytes, as: UTF8.self)), "token_type": "Bearer"])
  }
}

extension Parameter {
  fileprivate var namesPassword: Bool {
    let name = name.lowercased()
    return Redaction.secretNames.contains(name)
      || ["pass", "pw", "pin", "otp"].contains(where: name.hasPrefix)
  }
}
