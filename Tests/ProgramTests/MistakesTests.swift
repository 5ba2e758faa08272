import Foundation
import TestSupport
import Testing

@Suite("Mistakes of callers", .blocking)
struct MistakesTests {
  @Test("The error names the mistake, its origin and a remedy", arguments: Mistake.all)
  func named(_ mistake: Mistake) throws {
    let folder = TemporaryFolder()
    for (name, content) in mistake.files { try folder.write(content, to: name) }
    let inFolder = { (text: String) in text.replacing("FOLDER", with: folder.path) }
    // setsid takes away the terminal in which the tests run.
    let outcome = try Tokentry.run(
      mistake.arguments.map(inFolder), input: mistake.input,
      environment: mistake.environment.mapValues(inFolder), wrapper: ["/usr/bin/setsid", "--wait"])
    #expect(outcome.status == mistake.status, "\(outcome)")
    #expect(outcome.error == mistake.error)
    #expect(outcome["origin"] as? String == mistake.origin)
    let lines = outcome.messages.split(separator: "\n")
    let error = lines.last { $0.hasPrefix("tokentry: error: ") } ?? ""
    #expect(error.contains(inFolder(mistake.words)), "\(outcome.messages)")
    #expect(outcome["error_description"] as? String == error.dropFirst("tokentry: error: ".count).description)
    let hint = lines.last { $0.hasPrefix("tokentry: hint: ") }
    #expect(hint.map { $0.contains(mistake.hint ?? "\n") } ?? (mistake.hint == nil), "\(outcome.messages)")
    #expect(!outcome.messages.contains("**"), "a library's message came through")
    #expect(!outcome.messages.contains("word@"))
  }

  @Test("Each timeout in the table has a reason and a hint, and hints do not suggest chmod")
  func table() {
    #expect(Mistake.all.count > 40)
    for mistake in Mistake.all {
      #expect(mistake.error != "timeout" || mistake.words != "" && mistake.hint != nil)
      #expect(mistake.hint?.contains("chmod") != true)
    }
  }
}

/// A mistake of a caller, and the error that it gets: the origin says who has to act, the words name the
/// mistake, and the hint says how to fix it.
struct Mistake: Sendable, CustomTestStringConvertible {
  /// The command line. `FOLDER` stands for the folder with the files.
  let arguments: [String]
  let status: Int32
  let error: String
  let origin: String
  /// A part of the error that names the mistake.
  let words: String
  let hint: String?
  var input = ""
  var environment: [String: String] = [:]
  /// Private files by their names.
  var files: [String: String] = [:]

  /// A mistake in words that spaces separate. `AT` stands for a provider that cannot be reached, and a client.
  init(
    _ line: String, _ status: Int32, _ error: String, origin: String = "caller",
    _ words: String, hint: String? = nil, input: String = "", environment: [String: String] = [:],
    files: [String: String] = [:]
  ) {
    arguments = line.split(separator: " ").flatMap { $0 == "AT" ? Self.provider : [String($0)] }
    (self.status, self.error, self.origin) = (status, error, origin)
    (self.words, self.hint) = (words, hint)
    (self.input, self.environment, self.files) = (input, environment, files)
  }

  /// A mistake in an option.
  init(_ line: String, _ words: String, hint: String? = nil, files: [String: String] = [:]) {
    self.init(line, 2, "invalid_option", words, hint: hint, files: files)
  }

  private static let provider = [
    "--endpoint", "authorization=https://as.invalid/a", "--endpoint", "token=https://as.invalid/t",
    "--client-id", "me",
  ]

  var testDescription: String { arguments.joined(separator: " ") }
}

extension Mistake {
  static let all = commandLine + configuration + documents + surroundings

  /// Unknown or misplaced words.
  private static let commandLine = [
    Mistake("loign", "there is no command \"loign\"", hint: "did you mean login?"),
    Mistake("login --scop x", "there is no option --scop", hint: "did you mean --scope?"),
    Mistake("login --scope read write", "unexpected argument \"write\"", hint: "needs quotes"),
    Mistake("login --client-secret x", "every user of the machine can read", hint: "--client-secret-file"),
    Mistake("login --client-id", "--client-id needs a value"),
    Mistake("login --client-id a --client-id b", "--client-id is given twice"),
    Mistake("login --silent=yes", "--silent takes no value"),
    Mistake(
      "login https://as.invalid", "unexpected argument", hint: "did you mean --issuer https://as.invalid?"),
    Mistake("accounts work", "unexpected argument \"work\"", hint: "needs quotes"),
    Mistake("login AT --prompt consent", "there is no option --prompt", hint: "document of --options"),
    Mistake("login --timeout 5m", "--timeout takes a whole number of seconds", hint: "did you mean 300?"),
    Mistake("login -client-id x", "there is no option -client-id", hint: "did you mean --client-id?"),
    Mistake("login -psecret", "there is no option -p", hint: "see `tokentry login --help`"),
    Mistake("keep --file x", "keep needs --account", hint: "`tokentry accounts`"),
    Mistake("login --way windwo", "--way takes auto, window", hint: "did you mean window?"),
    Mistake("login --trust cert.pem", "--trust takes HOST=FILE"),
    Mistake("login --trust as.invalid:443=cert.pem", "--trust takes HOST=FILE"),
    Mistake("login --trust [::1]=cert.pem", "--trust takes HOST=FILE"),
    Mistake("login --trust *.invalid=cert.pem", "--trust takes HOST=FILE"),
    Mistake("login --trust me@as.invalid=cert.pem", "--trust takes HOST=FILE"),
    Mistake("login --trust as.invalid/path=cert.pem", "--trust takes HOST=FILE"),
    Mistake("login AT --client-certificate pkcs11:token=a?pin-value=1", "takes a pkcs11: URI without a PIN"),
    Mistake(
      "login AT --client-certificate FOLDER/c", "--client-certificate: the file contains no certificate",
      files: ["c": "x"]),
    Mistake(
      "login AT --client-certificate a:b=c", "--client-certificate takes FILE, HOST=FILE or pkcs11:URI"),
    Mistake(
      "login AT --client-certificate a.test=FOLDER/c", "the file contains no certificate", files: ["c": "x"]),
    Mistake("login AT --negotiate https://a.example", "--negotiate takes a host name"),
    Mistake("login --param scope=x AT", "--param scope: the request sets this", hint: "use --scope"),
    Mistake("doctor --account x", "--account is not an option of doctor", hint: "tokentry doctor --help"),
    Mistake("login AT --redirect-uri http://127.0.0.1:99999/", "whose port is not a number from 1 to 65535"),
    Mistake("login AT --redirect-uri http://127.0.0.1:6000/", "a port that browsers block"),
    Mistake("login AT --redirect-uri myapp", "\"myapp\" is not an absolute URL"),
    Mistake(
      "login AT --redirect-uri localhost:8080", "\"localhost:8080\" is not an absolute URL",
      hint: "did you mean http://localhost:8080?"),
    Mistake(
      "login AT --redirect-uri http://127.0.0.1:0/cb", "whose port is not a number from 1 to 65535",
      hint: "leave the port out"),
    Mistake(
      "login --issuer gitlab.com", "\"gitlab.com\" is not an absolute URL",
      hint: "did you mean https://gitlab.com?"),
    Mistake("login AT --if-needed", "--if-needed only makes sense with --account"),
    Mistake("login AT --redirect-uri javascript:x", "to which no provider can redirect"),
    Mistake("login AT --redirect-uri https://a.example/#x", "a URL with a fragment"),
    Mistake("login --issuer http://as.example", "is not https"),
    Mistake("login AT --browser nosuchbrowser", "there is no program \"nosuchbrowser\" to open the page"),
    Mistake("login AT --browser 'firefox", "--browser takes a command, quoted as for a shell"),
    Mistake(
      "login AT", 2, "invalid_option", "TOKENTRY_RENDERING takes auto, gpu, standard, software",
      environment: ["TOKENTRY_RENDERING": "cpu"]),
    Mistake("login AT --store keyrng", "--store takes keyring, file:PATH or agent:PATH"),
    Mistake("login AT --parent 42", "--parent takes x11: with a window's number"),
    Mistake("navigate --url https://a.example", "navigate needs --redirect-uri"),
    Mistake("navigate --url https://a.example --response-header x", "navigate needs --redirect-uri"),
    Mistake(
      "navigate --url https://a.example --cookie c --redirect-uri com.example.app:/x",
      "\"com.example.app:/x\" is not a page that loads over https"),
    Mistake(
      "navigate --url https://a.example --redirect-uri https://a.example/ --response-header set-cookie",
      "--response-header returns no cookies", hint: "--cookie"),
    Mistake(
      "navigate --url https://a.example --cookie a=b", "--cookie takes the name of a cookie or header field"),
    Mistake(
      "navigate --url https://a.example --cookie c --post FOLDER/form",
      "--post takes a file with an encoded form",
      files: ["form": "<p>no form"]),
    Mistake("logout", "logout needs --account, --session or --issuer", hint: "tokentry accounts"),
  ]

  /// Contradictions and missing options.
  private static let configuration =
    ["browser", "device", "paste"].flatMap { agent in
      [
        ("--cookie", "--cookie c"),
        ("--response-header", "--redirect-uri https://a.example/ --response-header h"),
        ("--post", "--redirect-uri https://a.example/ --post FOLDER/form"),
      ].map { option, words in
        Mistake(
          "navigate --url https://a.example \(words) --way \(agent)", 2, "invalid_configuration",
          "\(option) and --way \(agent) contradict each other", files: ["form": "a=b"])
      }
    } + [
      Mistake(
        "navigate --url https://a.example --cookie c --headless-test --navigations /dev/null", 2,
        "invalid_configuration", "--cookie and --navigations contradict each other"),
      Mistake(
        "login --client-id me", 2, "invalid_configuration", "no provider was given",
        hint: "(see `tokentry providers`), --issuer or --endpoint authorization=URL, or try `tokentry demo`"),
      // The example password is a word of the hint.
      Mistake(
        "login --client-id me --headless-test --form password=demo", 2, "invalid_configuration",
        "no provider was given", hint: "or try `tokentry demo`"),
      Mistake(
        "login --provider googel", 2, "unknown_provider", "there is no provider \"googel\"",
        hint: "did you mean google?"),
      Mistake(
        "login --provider auth0 --client-id me", 2, "invalid_configuration", "the variable tenant",
        hint: "--var tenant=VALUE"),
      // A missing client is reported before a missing display or keyring.
      Mistake(
        "login --provider facebook", 2, "invalid_configuration", "no client identifier was given",
        hint: "add --client-id ID"),
      Mistake(
        "login --provider vkid", 2, "invalid_configuration", "no client identifier was given",
        hint: "add --client-id ID"),
      // A provider that cannot be reached might register a client, but the caller has most likely forgotten it.
      Mistake(
        "login --issuer https://as.invalid --endpoint authorization=https://as.invalid/a --store file:FOLDER",
        2,
        "invalid_configuration", "no client identifier was given", hint: "add --client-id ID"),
      Mistake(
        "login --issuer https://as.invalid", 2, "invalid_configuration", "no client identifier was given",
        hint: "add --client-id ID"),
      Mistake(
        "login --grant client-credentials --endpoint token=https://as.invalid/t --client-id me", 2,
        "invalid_configuration", "a client without a secret", hint: "--client-secret-file"),
      Mistake(
        "login --grant password --endpoint token=https://as.invalid/t --client-id me", 2,
        "invalid_configuration", "whose password this is", hint: "--login-hint"),
      Mistake(
        "login AT --way device", 2, "invalid_configuration", "device authorization endpoint is not known",
        hint: "--endpoint device_authorization=URL"),
      Mistake(
        "login --provider facebook --client-id me --way device", 2, "invalid_configuration",
        "device authorization endpoint is not known", hint: "--endpoint device_authorization=URL"),
      Mistake(
        "login AT --no-browser --way browser", 2, "invalid_configuration",
        "--no-browser and --way browser contradict each other"),
      Mistake(
        "login AT --no-browser --browser firefox", 2, "invalid_configuration",
        "--no-browser and --browser contradict each other"),
      Mistake(
        "login AT --no-browser --way window", 2, "invalid_configuration",
        "--no-browser and --way window contradict each other"),
      Mistake(
        "login AT --kiosk --way browser", 2, "invalid_configuration",
        "--kiosk and --way browser contradict each other"),
      Mistake(
        "login AT --kiosk --no-browser", 2, "invalid_configuration",
        "--no-browser and --kiosk contradict each other"),
      Mistake(
        "login AT --way browser --grant implicit", 2, "invalid_configuration",
        "the answer is in the URL's fragment", hint: "--way window"),
      Mistake(
        "login --endpoint authorization=https://as.invalid/a --client-id me", 2, "invalid_configuration",
        "the provider's token endpoint is not known", hint: "--endpoint token=URL"),
      Mistake(
        "login AT --form user=ann", 2, "invalid_configuration", "replaces the user in tests",
        hint: "--headless-test"),
      Mistake(
        "userinfo --endpoint userinfo=https://as.invalid/u", 2, "invalid_configuration",
        "there is no token for this request", hint: "--token-file"),
    ]

  /// Documents and files.
  private static let documents = [
    Mistake(
      "login --options FOLDER/request", "line 2: there is a comma before the closing bracket",
      files: ["request": "{\"client_id\":\"me\",\n}"]),
    Mistake(
      "login --options FOLDER/request", "line 1: \"'\" is not allowed here",
      files: ["request": "{'client_id':'me'}"]),
    Mistake(
      "login --options FOLDER/request", "unknown member \"cilent_id\"", hint: "did you mean client_id?",
      files: ["request": "{\"cilent_id\":\"me\"}"]),
    Mistake("login --options FOLDER/none", "none: No such file or directory"),
    Mistake("login --options -", "line 1: the document ends too early"),
    Mistake("login AT --trust as.invalid=FOLDER/none", "--trust as.invalid: FOLDER/none: No such file"),
    Mistake(
      "login AT --client-secret-file FOLDER/secret", "does not contain exactly one line of text",
      files: ["secret": "a\nb\n"]),
    Mistake(
      "login --provider FOLDER/preset.json --client-id me", 2, "invalid_configuration",
      "preset.json:1: unknown member \"scop\"", files: ["preset.json": "{\"scop\":\"a\"}"]),
    Mistake(
      "login AT --store file:/etc --account a", 9, "store_unavailable", origin: "tokentry",
      "the store cannot be used: /etc", hint: "a folder of your own"),
    Mistake(
      "login AT --store file:/proc/none --account a", 9, "store_unavailable", origin: "tokentry",
      "the store cannot be used: /proc/none: No such file", hint: "a folder that you can write to"),
    Mistake(
      "login AT --account a --store file:FOLDER/store --if-needed --silent", 8, "login_required",
      origin: "user", "the user may not be asked, and there is"),
    Mistake(
      "token --store file:FOLDER/store --account a", 8, "unknown_account", "there is no account \"a\"",
      hint: "tokentry accounts"),
  ]

  /// The environment.
  private static let surroundings = [
    Mistake(
      "login AT", 7, "no_user_agent", origin: "tokentry", "nothing here can show a page",
      hint: "--browser COMMAND"),
    Mistake(
      "login AT --redirect-uri com.example.app:/done", 7, "no_display", origin: "tokentry",
      "there is no display", hint: "DISPLAY or WAYLAND_DISPLAY"),
    Mistake(
      "login AT --way browser --redirect-uri com.example.app:/done", 7, "no_user_agent",
      origin: "tokentry", "to a private scheme", hint: "--register-scheme"),
    Mistake(
      "accounts", 9, "store_unavailable", origin: "tokentry", "there is no session bus",
      hint: "--store file:PATH", environment: ["HOME": "FOLDER"]),
    Mistake(
      "accounts", 9, "store_unavailable", origin: "tokentry", "there is no session bus",
      hint: "--store file:PATH", environment: ["HOME": "FOLDER", "DBUS_SESSION_BUS_ADDRESS": ""]),
    Mistake(
      "accounts", 9, "store_unavailable", origin: "tokentry", "there is no session bus",
      hint: "--store file:PATH",
      environment: ["HOME": "FOLDER", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"]),
    Mistake(
      "login AT --browser false --timeout 1", 4, "timeout", origin: "user",
      "the browser could not be opened: \"false\" failed", hint: "--browser"),
    Mistake(
      "login AT --way paste", 3, "cancelled", origin: "user", "standard input ended without an answer",
      input: "no address\n"),
    Mistake(
      "login --issuer https://as.invalid --client-id me --browser true", 5, "network_error",
      origin: "network", "through the proxy http://127.0.0.1:1: the connection was refused",
      hint: "https_proxy", environment: ["https_proxy": "http://user:word@127.0.0.1:1"]),
    Mistake(
      "login --issuer https://as.invalid --client-id me --browser true", 5, "network_error",
      origin: "network", "the proxy setting is not the address of a proxy", hint: "https_proxy",
      environment: ["https_proxy": "nonsense"]),
    Mistake(
      "login --issuer https://as.invalid --client-id me --browser true", 5, "network_error",
      origin: "network", "the proxy setting is not the address of a proxy", hint: "http_proxy",
      environment: ["http_proxy": "nonsense"]),
    Mistake(
      "login --issuer https://as.invalid --client-id me --browser true", 5, "network_error",
      origin: "network", "the proxy setting is not the address of a proxy", hint: "https_proxy",
      environment: ["https_proxy": "http://127.0.0.1:99999"]),
    Mistake(
      "login --issuer https://as.invalid --client-id me --browser true", 5, "network_error",
      origin: "network", "can't find the server as.invalid", hint: "check the name, and the network",
      environment: ["all_proxy": "nonsense"]),
    Mistake(
      "login --issuer https://as.invalid --client-id me --browser true", 5, "network_error",
      origin: "network", "can't find the server as.invalid", hint: "check the name, and the network"),
  ]
}
