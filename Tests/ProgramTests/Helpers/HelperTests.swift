import Foundation
import TestSupport
import Testing

@Suite("Helpers", .blocking)
struct HelperTests {
  /// The beginning of every access token: long enough to be found where it does not belong.
  private static let prefix = "ACCESSTOKEN-"
  private static let host = "https://h.example"

  /// Accounts for the host.
  private func ready(_ accounts: [String] = ["work"], life: Int = 3_600) throws -> Services {
    let services = try Services(life: life, prefix: Self.prefix)
    try services.writePreset(origins: "https://api.example")
    for account in accounts { try services.logIn(account, ["--for", Self.host, "--for", "other.test:8443"]) }
    return services
  }

  private func ask(
    _ row: HelperRow, _ question: HelperRow.Question, _ services: Services, _ options: [String] = []
  ) throws -> Outcome {
    let outcome = try services.run(
      ["helper", row.name] + options + question.arguments, input: question.input, question.environment)
    #expect(
      !outcome.messages.contains(Self.prefix) && !outcome.messages.contains("R1"), "\(outcome.messages)")
    #expect(
      !outcome.output.contains("error_description"), "an error object in the output of another protocol")
    return outcome
  }

  private func expect(_ outcome: Outcome, _ refusal: HelperRow.Refusal) {
    #expect(outcome.status == refusal.status, "\(outcome)")
    #expect(outcome.output == refusal.output)
    #expect(outcome.messages.isEmpty != refusal.isSaid, "\(outcome.messages)")
  }

  @Test("A kept token is handed out at the servers of its account", arguments: HelperRow.all)
  func kept(row: HelperRow) throws {
    let services = try ready()
    for address in [Self.host, "https://H.example:443", "https://other.test:8443"] {
      let outcome = try ask(row, row.question(address), services)
      #expect(outcome.status == 0 && outcome.messages.isEmpty, "\(outcome.messages)")
      #expect(outcome.output.contains(row.answer(Self.prefix + "1")), "\(outcome.output)")
      #expect(!outcome.output.contains("R1"))
    }
    #expect(services.provider.requests.count == 1, "the provider was asked")
  }

  @Test(
    "Other servers and plain http get no token", arguments: HelperRow.all)
  func others(row: HelperRow) throws {
    let services = try ready()
    expect(try ask(row, row.question("https://other.example"), services), row.otherHost)
    let clear = row.asksHTTP ? ["http://h.example"] : []
    for address in clear + ["https://h.example.evil.test", "https://api.example", "https://other.test"] {
      let outcome = try ask(row, row.question(address), services)
      #expect(outcome.status == row.otherHost.status && !outcome.output.contains(Self.prefix), "\(address)")
    }
    // The program chooses all arguments of these.
    if ["keyring", "azd", "databricks"].contains(row.name) { return }
    let named = try ask(row, row.question("https://other.example"), services, ["--account", "work"])
    #expect(!named.output.contains(Self.prefix) || row.name == "google")
  }

  @Test("If two accounts fit, the program has to name one", arguments: HelperRow.all)
  func several(row: HelperRow) throws {
    let services = try ready(["work", "home"])
    let outcome = try ask(row, row.question(Self.host), services)
    #expect(outcome.status == row.several.status, "\(outcome)")
    for name in ["home", "work"] {
      #expect((row.several.isOnOutput ? outcome.output : outcome.messages).contains(name))
    }
    #expect(!outcome.output.contains(Self.prefix))
    var question = row.question(Self.host)
    var options = ["--account", "home"]
    switch row.name {
    case "git":
      question.input = "username=home\n" + question.input
      options = []
    case "keyring":
      question.arguments[2] = "home"
      options = []
    case "azd", "databricks":
      question.arguments += [row.name == "azd" ? "--tenant-id" : "--account-id", "home"]
      options = []
    case "cargo":
      question.input = question.input.replacingOccurrences(
        of: "[]}\n", with: #"["--account","home"]}"# + "\n")
      options = []
    default: break
    }
    let chosen = try ask(row, question, services, options)
    #expect(chosen.output.contains(row.answer(Self.prefix + "1")), "\(chosen)")
  }

  @Test(
    "An expired token is refreshed once for many programs, and a login does not begin",
    arguments: chosen(HelperRow.all) { ["git", "cargo", "google", "headers"].contains($0.name) })
  func ended(row: HelperRow) async throws {
    let services = try ready(life: 30)
    let question = row.question(Self.host)
    let environment = services.environment.merging(question.environment) { $1 }
    let outcomes = try await atOnce(20) { _ in
      try Tokentry.run(
        ["helper", row.name] + question.arguments, input: question.input, environment: environment)
    }
    for outcome in outcomes {
      // On a busy machine some have to try again.
      if row.comesAgain, outcome.status == 8, outcome.output.isEmpty { continue }
      #expect(outcome.output.contains(row.answer(Self.prefix + "2")), "\(outcome)")
    }
    #expect(try ask(row, question, services).output.contains(row.answer(Self.prefix + "2")))
    #expect(services.provider.requests.count == 2, "a login and a refresh")
    let others = try ready(life: 30)
    others.refuseRefresh()
    expect(try ask(row, question, others), row.needsLogin)
    #expect(others.provider.requests.count == 2, "no page was opened")
  }

  @Test("Wrong or very long questions get the error of their protocol", arguments: HelperRow.all)
  func malformed(row: HelperRow) throws {
    let services = try ready()
    for question in row.malformed {
      let outcome = try ask(row, question, services)
      #expect(outcome.status == row.refusal.status, "\(question.arguments) \(outcome.messages)")
      if row.name != "keyring", row.name != "terraform" { #expect(outcome.output == row.refusal.output) }
      #expect(outcome.messages.isEmpty != row.refusal.isSaid, "\(outcome.messages)")
    }
    let outcome = try ask(row, row.oversized.question, services)
    // The helper's seven seconds may be over before a sanitizer has seen all of it.
    if row.name == "headers", slowness > 1, outcome.status == 4 { return }
    #expect(
      outcome.status == row.oversized.status, "\(outcome.output.prefix(200))\(outcome.messages.prefix(200))")
    #expect(outcome.output.utf8.count < 1_000 && outcome.messages.utf8.count < 2_000, "the input is repeated")
  }

  @Test("A full disk is status 9", arguments: HelperRow.all)
  func fullDisk(row: HelperRow) throws {
    let services = try ready()
    let question = row.question(Self.host)
    let words = (["helper", row.name] + question.arguments).map { "'\($0)'" }.joined(separator: " ")
    let outcome = try Command.run(
      [
        "/bin/sh", "-c",
        "printf %s '\(question.input)' | '\(Tokentry.path())' \(words) >/dev/full 2>/dev/null",
      ],
      environment: services.environment.merging(question.environment) { $1 })
    #expect(outcome.status == 9)
  }

  @Test("A log contains both sides of a dialogue without secrets", arguments: HelperRow.all)
  func log(row: HelperRow) throws {
    let services = try ready()
    let path = services.folder + "/helper.log"
    var question = row.question(Self.host)
    question.environment["TOKENTRY_LOG"] = path
    let said = try ask(row, question, services)
    #expect(said.output.contains(Self.prefix) && said.messages.isEmpty)
    let log = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      log.contains(" info: received: \(row.name)") && log.contains(" info: sent: ")
        && log.contains("h.example"))
    #expect(!log.contains(Self.prefix) && log.contains("[redacted]"), "\(log)")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    // A log that others can read is not written.
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(!(try ask(row, question, services).output.contains(Self.prefix)))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == log)
  }

  @Test("A link with the name that a program looks for is its helper")
  func links() throws {
    let services = try ready()
    for (link, name) in [
      ("git-credential-tokentry", "git"), ("docker-credential-tokentry", "docker"), ("keyring", "keyring"),
      ("terraform-credentials-tokentry", "terraform"), ("bazel-credential-tokentry", "bazel"),
      ("azd", "azd"), ("databricks", "databricks"),
    ] {
      let row = try #require(HelperRow.all.first { $0.name == name })
      let path = "\(services.folder)/\(link)"
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: try Tokentry.path())
      let question = row.question(Self.host)
      let outcome = try Tokentry.run(
        question.arguments, input: question.input,
        environment: services.environment.merging(question.environment) { $1 }, link: path)
      #expect(outcome.output.contains(row.answer(Self.prefix + "1")), "\(link): \(outcome.output)")
    }
    // Another program with that name is not a helper of ours.
    try FileManager.default.removeItem(atPath: services.folder + "/keyring")
    try FileManager.default.createSymbolicLink(
      atPath: services.folder + "/keyring", withDestinationPath: "/bin/true")
    let home = services.folder + "/home-of-git"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let variables = ["PATH": services.folder + ":/usr/bin:/bin", "HOME": home]
    let possible = try services.run(["doctor", "--silent"], variables)
    #expect(
      possible.output.contains("\"can be a helper of git, docker, bazel, azd, databricks\""),
      "\(possible.output)")
    try "[credential]\n\thelper = tokentry\n".write(
      toFile: home + "/.gitconfig", atomically: true, encoding: .utf8)
    let doctor = try services.run(["doctor", "--silent"], variables)
    #expect(
      doctor.output.contains(
        "set up in the settings of git and can be a helper of docker, bazel, azd, databricks\""),
      "\(doctor.output)")
    #expect(doctor.output.contains("`tokentry helper` says how to set it up"))
  }

  @Test(
    "docker lists the registries of accounts, and its store and erase say that they have no effect, one as a failure"
  )
  func docker() throws {
    let services = try ready(["work"])
    try services.logIn("home", ["--for", Self.host])
    let list = try services.run(["helper", "docker", "list"])
    #expect(list.output == #"{"https://other.test:8443":"<token>"}"# + "\n", "\(list.messages)")
    let stored = #"{"ServerURL":"https://other.test:8443","Username":"eve","Secret":"EVESSECRET"}"#
    func outcome(_ verb: String, _ input: String) throws -> Outcome {
      try services.run(
        ["helper", "docker", verb], input: input, ["TOKENTRY_LOG": services.folder + "/log.txt"])
    }
    let store = try outcome("store", stored)
    #expect(store.status == 2 && store.output.contains("tokentry login") && store.messages.isEmpty)
    let erase = try outcome("erase", "https://other.test:8443")
    #expect(erase.status == 0 && erase.output.isEmpty && erase.messages.contains("tokentry logout"))
    #expect(
      !(try String(contentsOfFile: services.folder + "/log.txt", encoding: .utf8)).contains("EVESSECRET"))
    let empty = try services.run(["helper", "docker", "get"], input: "\n")
    #expect(empty.status != 0 && empty.output == "no credentials server URL\n")
    #expect(
      try services.run(["helper", "docker", "version"]).output
        .hasPrefix("docker-credential-tokentry (tokentry) "))
    let kept = try services.run(["helper", "docker", "get"], input: "https://other.test:8443")
    #expect(kept.output.contains(Self.prefix + "1"))
    // A registry that takes passwords needs a user name too.
    let preset = services.folder + "/config/tokentry/providers/here.json"
    try String(contentsOfFile: preset, encoding: .utf8)
      .replacing("\"git_user\"", with: "\"registry_user\":\"oauth2\",\"git_user\"")
      .write(toFile: preset, atomically: true, encoding: .utf8)
    try services.logIn("basic", ["--for", "https://basic.test"])
    let basic = try services.run(["helper", "docker", "get"], input: "https://basic.test")
    #expect(basic.output.contains(#""Username":"oauth2","Secret":"\#(Self.prefix)1""#), "\(basic.output)")
  }

  @Test("A profile of Databricks names a host, and chooses between the accounts for it")
  func profile() throws {
    let services = try ready(["work", "home"])
    let path = services.folder + "/profiles"
    try """
    [DEFAULT]
    host = https://other.example
    [home]
    cluster_id = host
      host=https://h.example\u{20}
    """.write(toFile: path, atomically: true, encoding: .utf8)
    func ask(_ profile: String, _ flag: String = "--profile") throws -> Outcome {
      // The libraries follow a link, and so start the program by its own name.
      try services.run(["auth", "token", flag, profile], ["DATABRICKS_CONFIG_FILE": path])
    }
    #expect(try ask("home").output.hasPrefix(#"{"access_token":"\#(Self.prefix)1","token_type":"Bearer""#))
    #expect(try ask("home", "-p").status == 0)
    let other = try ask("DEFAULT")
    #expect(other.status == 2 && other.messages.contains("databricks OAuth is not configured for this host"))
    #expect(other.messages.contains("no account is set up for https://other.example"), "\(other.messages)")
    let unknown = try ask("work")
    #expect(unknown.status == 2 && unknown.messages.contains("no profile \"work\""), "\(unknown.messages)")
    let version = try services.run(["version", "--output", "json"])
    #expect(
      version.output.hasSuffix(#","contract":1,"Version":"0.296.0","Major":0,"Minor":296,"Patch":0}"# + "\n"))
    #expect(version["version"] as? String == "0.1.0")
    #expect(try services.run(["version", "-o", "json"]).output == version.output)
  }

  @Test("go gets only tokens for whole servers, and empty output without an address")
  func modules() throws {
    let services = try ready()
    let first = try services.run(["helper", "go"])
    #expect(first.status == 0 && first.output.isEmpty && first.messages.isEmpty)
    let answer = try services.run(["helper", "go", "https://H.example:443/mod"])
    #expect(answer.output.hasPrefix("https://H.example:443\n\n"), "go compares texts")
    try services.logIn("part", ["--resource", "https://part.example/api"])
    let part = try services.run(["helper", "go", "https://part.example/api/mod"])
    #expect(part.status == 0 && part.output.isEmpty && part.messages.isEmpty, "\(part)")
    #expect(try services.run(["helper", "headers", "https://part.example/api/mod"]).status == 0)
  }

  @Test("The list names every helper")
  func list() throws {
    let list = try Tokentry.run(["helper"])
    #expect(list.status == 0)
    for row in HelperRow.all { #expect(list.output.contains("\(row.name): "), "\(row.name)") }
    #expect(list.output.contains("(as docker-credential-tokentry)"))
    let unknown = try Tokentry.run(["helper", "dokcer"])
    #expect(
      unknown.status == 2 && unknown.output.isEmpty && unknown.messages.contains("did you mean docker?"))
  }

  // The cargo helper is the only one that can sign out.
  @Test("A sign-out revokes the tokens that another program has renewed meanwhile, not the old ones")
  func signOut() async throws {
    let folder = TemporaryFolder()
    let server = try StandInServer { request, _ in
      request.path == "/token"
        ? .json(#"{"access_token":"T1st","token_type":"Bearer","expires_in":3600,"refresh_token":"R1st"}"#)
        : .json("{}")
    }
    let environment = ["TOKENTRY_STORE": "file:\(folder.path)"]
    let login = try Tokentry.run(
      ["login"] + server.endpoints() + Tokentry.pasted
        + ["--endpoint", "revocation=\(server.base)/r", "--account", "work", "--for", "registry.example"],
      input: Tokentry.callback, environment: environment)
    try #require(login.status == 0, "\(login)")
    // The other program is using the account.
    let lock = open(folder.path + "/.work.lock", O_RDWR | O_CLOEXEC)
    try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
    let question =
      #"{"v":1,"registry":{"index-url":"sparse+https://registry.example/index/"},"kind":"logout","args":[]}"#
    async let outcome = onThread {
      try Tokentry.run(["helper", "cargo"], input: question + "\n", environment: environment)
    }
    // A helper that did not wait would have revoked the old tokens by now.
    try await Task.sleep(for: .seconds(1))
    try folder.write(folder.text(of: "work.json").replacing("1st", with: "2nd"), to: "work.json")
    close(lock)
    let answer = try await outcome
    #expect(answer.output.contains(#"{"Ok":{"kind":"logout"}}"#), "\(answer)")
    let revoked = server.requests.filter { $0.path == "/r" }.compactMap { $0.form["token"] }
    #expect(!revoked.isEmpty && revoked.allSatisfy { $0.hasSuffix("2nd") }, "\(revoked)")
  }

  @Test("Cargo's arguments decide where accounts are kept, which certificates count, and what is reported")
  func arguments() throws {
    let (folder, other) = (TemporaryFolder(), TemporaryFolder())
    let server = try StandInServer { _, _ in
      .json(#"{"access_token":"kept","token_type":"Bearer","expires_in":3600}"#)
    }
    let login = try Tokentry.run(
      ["login"] + server.endpoints() + Tokentry.pasted
        + ["--account", "work", "--for", "registry.example", "--store", "file:\(folder.path)"],
      input: Tokentry.callback)
    try #require(login.status == 0, "\(login)")
    func answer(_ arguments: [String]) throws -> Outcome {
      let words = arguments.map { "\"\($0)\"" }.joined(separator: ",")
      let question =
        #"{"v":1,"registry":{"index-url":"sparse+https://registry.example/index/"},"kind":"get","args":[\#(words)]}"#
      return try Tokentry.run(
        ["helper", "cargo"], input: question + "\n", environment: ["TOKENTRY_STORE": "file:\(other.path)"])
    }
    let store = ["--store", "file:\(folder.path)"]
    #expect(try answer([]).output.contains(#"{"Err":{"kind":"url-not-supported"}}"#))
    #expect(try answer(store).output.contains(#""token":"Bearer kept""#))
    let untrusted = try answer(store + ["--trust", "registry.example=\(folder.path)/none"])
    #expect(untrusted.output.contains(#"{"Err":{"kind":"other","message":"--trust registry.example: "#))
    #expect(try !answer(store).messages.contains("info:"))
    #expect(try answer(store + ["-vv"]).messages.contains("tokentry: info: sent:"))
  }
}
