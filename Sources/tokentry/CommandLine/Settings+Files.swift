import GLibSupport
import LoginCore
import Wording

/// What files and the environment add to what the command line says.
extension Settings {
  /// The settings with all of it.
  ///
  /// `answersInText` is told as soon as it is known that standard output must stay empty on failure.
  @GLibActor
  func completed(
    for command: Command, _ environment: Environment, _ answersInText: () -> Void
  ) async throws(Failure) -> Settings {
    var settings = self
    if let path = self[.request] {
      let file = InputFile(.request, path)
      if file.isStandardInput, self[.navigations] == "-" {
        throw .configuration(.standardInputTwice(Option.request.flag, Option.navigations.flag))
      }
      let bytes = try await file.readOwn(limit: RequestDocument.maximumSize)
      if self[.output] == nil, RequestDocument.asksForText(bytes) { answersInText() }
      settings.fill(from: try RequestDocument(bytes, for: command).settings)
    }
    if let path = settings[.tokenFile] { settings.token = try await settings.readToken(path) }
    settings.authorizationDetails = try await settings.readAuthorizationDetails()
    settings.clientSecret = try await settings.secret(
      .clientSecretFile, settings.clientSecret, "client_secret", environment.text("TOKENTRY_CLIENT_SECRET"))
    settings.password = try await settings.secret(
      .passwordFile, settings.password, "password", environment.text("TOKENTRY_PASSWORD"))
    settings.initialAccessToken = try await settings.secret(
      .initialAccessTokenFile, settings.initialAccessToken, "initial_access_token", nil)
    settings.formValues = try await settings.readForm()
    if environment["TOKENTRY_HEADLESS_TEST"] == "1", !settings.has(.headlessTest),
      command.options.contains(.headlessTest)
    {
      try settings.set(.headlessTest, "", as: Option.headlessTest.flag)
    }
    return settings
  }

  /// A secret: what a request document gave, else what is in the file, else what the environment says.
  @GLibActor
  private func secret<Role>(
    _ option: Option, _ given: Secret<Role>?, _ member: String, _ variable: String?
  ) async throws(Failure) -> Secret<Role>? {
    guard let path = self[option] else { return given ?? variable.map { Secret($0) } }
    if given != nil { throw .configuration(.contradiction(option.flag, member)) }
    return Secret(try await InputFile(option, path).readSecret())
  }

  /// What forms are filled with. A value that begins with `@` is the contents of a file, so that a password need not be
  /// on the command line.
  @GLibActor
  private func readForm() async throws(Failure) -> [Parameter] {
    var values: [Parameter] = []
    for pair in pairs(.form) {
      guard pair.value.utf8.first == UInt8(ascii: "@") else {
        values.append(pair)
        continue
      }
      let name = "\(Option.form.flag) \(pair.name.forDisplay(limit: 60))"
      var bytes = try await InputFile(flag: name, path: pair.value.withoutFirstByte).read(
        limit: 64 * 1_024)
      if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      guard let value = String(validating: bytes, as: UTF8.self) else { throw .commandLine(.notUTF8(name)) }
      values.append(Parameter(pair.name, value))
    }
    return values
  }

  /// RFC 9396 section 2: an array of objects, each of which says what kind of thing it is about.
  @GLibActor
  private func readAuthorizationDetails() async throws(Failure) -> String? {
    guard let path = self[.authorizationDetails] else { return nil }
    let option = Option.authorizationDetails
    let bytes = try await InputFile(option, path).read(limit: 64 * 1_024)
    let details = (try? JSONReader.read(bytes))?.array
    guard let details, !details.isEmpty, details.allSatisfy({ $0.object?["type"]?.string != nil }) else {
      throw .commandLine(.wants(option.flag, .authorizationDetails))
    }
    return JSONValue.array(details).text
  }

  @GLibActor
  private func readToken(_ path: String) async throws(Failure) -> Token {
    let file = InputFile(.tokenFile, path)
    if token != nil { throw .configuration(.contradiction(file.flag, "token")) }
    if file.isStandardInput, let other = [Option.request, .navigations].first(where: { self[$0] == "-" }) {
      throw .configuration(.standardInputTwice(other.flag, file.flag))
    }
    let bytes = try await file.readOwn(limit: RequestDocument.maximumSize)
    let value = try? JSONReader.read(bytes, maximumSize: RequestDocument.maximumSize)
    guard let token = value?.object.flatMap(Token.init(json:)) else {
      throw .commandLine(.file(file.flag, .noToken))
    }
    return token
  }
}
