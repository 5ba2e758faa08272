import GLibSupport
import Glibc

@testable import LoginCore
@testable import SecretStore
@testable import Wording
@testable import tokentry

extension Room {
  /// What programs say to their helpers: the helper and its arguments in the first line, and standard input, or what is
  /// in the environment, in the rest. A token goes to its own server and to no other.
  static let helpers = Room(
    name: "helpers", longest: 256, few: 1_000,
    growing: [("members", { elements($0, from: "bazel get\n{", to: "}") { "\"a\($0)\":1" } })]
  ) { bytes in
    var input = Input(bytes)
    let words = input.text().split(separator: " ").map(String.init)
    guard let name = words.first, HelperBench.names.contains(name), words.allSatisfy(HelperBench.isHarmless),
      // What the program says itself may be said to it.
      !contains(bytes, "t0ken-of".bytes), !hasSecrets(bytes) || PlainCryptography.mixed(bytes, 1)[0] & 63 == 0
    else { return }
    HelperBench.shared.hear(name, words, input.remainder)
  }

  /// Whether the program would remember something of it for as long as it runs, which is what hides secrets.
  private static func hasSecrets(_ bytes: [UInt8]) -> Bool {
    bytes.contains(UInt8(ascii: "@")) || bytes.contains(UInt8(ascii: "="))
      || ["Secret", "token", "code", "state", "nonce"].contains { contains(bytes, $0.bytes) }
  }
}

/// Two accounts in a folder, and what the program works with.
private final class HelperBench: Sendable {
  static let shared = HelperBench()
  static let names = [
    "docker", "bazel", "cargo", "terraform", "kubernetes", "keyring", "google", "headers", "freerdp",
  ]

  /// Other options read files, ask servers or name an account.
  static func isHarmless(_ word: String) -> Bool {
    let flags = ["--lines", "--access-token", "--mode", "--output", "--mode=creds", "--output=json"]
    return !word.hasPrefix("-") || flags.contains(word)
  }

  private static let tokens = (app: "t0ken-of-the-app", other: "t0ken-of-the-other")
  private let run: Composition
  private let folder: String

  private init() {
    folder = getenv("TOKENTRY_FUZZ_FOLDER").map { String(cString: $0) } ?? "/nonexistent"
    let place = "\(folder)/accounts-\(getpid())"
    setenv("TOKENTRY_STORE", "file:\(place)", 1)
    // Interrupting the program is for libFuzzer, and so is its clock.
    let numbers = [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM]
    var actions = numbers.map { _ in sigaction() }
    for (index, number) in numbers.enumerated() { sigaction(number, nil, &actions[index]) }
    run = GLibActor.run { await Self.composition(place) }
    for (index, number) in numbers.enumerated() { sigaction(number, &actions[index], nil) }
  }

  @GLibActor
  private static func composition(_ place: String) async -> Composition {
    do throws(Failure) {
      let run = try await Composition(
        Settings(), mayAskForKeyring: false, Messages(), Interruption(watchesCaller: false), Environment())
      try await run.store.save(account("app", tokens.app, for: "https://app.example"))
      try await run.store.save(account("other", tokens.other, for: "https://other.example:8443"))
      return run
    } catch {
      fatalError("no helper can be asked: \(Report(error).message.source)")
    }
  }

  private static func account(_ name: String, _ token: String, for origin: String) -> Account {
    let members: JSONObject = [
      "access_token": .string(token), "token_type": "Bearer", "expires_at": "9999-01-01T00:00:00Z",
      "id_token": .string(token), "claims": ["exp": 9_999_999_999],
    ]
    var account = Account(
      demand(AccountName(name), "a name"), login: Samples.login,
      token: demand(Token(json: members), "a token"),
      receivedAt: Samples.now)
    account.origins = [demand(try? Origin(origin), "an origin")]
    return account
  }

  /// One call of a helper.
  func hear(_ name: String, _ words: [String], _ said: [UInt8]) {
    let place = prepare(name, said)
    GLibActor.run { [run] in
      do throws(Failure) {
        var settings = try Invocation(["helper"] + words).settings
        if settings.helperProtocol?.hasArgumentsOfItsOwn == false { settings = settings.silenced }
        guard let type = settings.helperProtocol else { return }
        let desk = TokenBroker(settings, run, mayAsk: false)
        switch name {
        case "cargo": try await Self.askCargo(desk, said)
        case "freerdp": await Self.tellDialogue(desk, said)
        default:
          Self.check(try await (try type.init(desk)).text(), for: Self.address(name, words, said))
        }
      } catch {
        checkWords(of: error)
        let refusal = settings(of: name)?.refusal(of: error)
        let text = refusal?.output(Report(error)) ?? ""
        demand(!text.has("t0ken-of"), "no token is refused with: \(text)")
      }
    }
    if place >= 0 { close(place) }
  }

  /// Where the helper will read it.
  private func prepare(_ name: String, _ said: [UInt8]) -> Int32 {
    let text = said.prefix { $0 != 0 }.map(\.self).text
    switch name {
    case "kubernetes": setenv("KUBERNETES_EXEC_INFO", text, 1)
    case "google":
      let (type, audience) = text.splitOnce(at: "\n")
      setenv("GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE", type, 1)
      setenv("GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE", audience ?? "", 1)
    default:
      // Not a pipe, which would hold no more than 64 KiB as long as nobody reads.
      let path = "\(folder)/input-\(getpid())"
      let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
      unlink(path)
      demand(
        write(file, said, said.count) == said.count && lseek(file, 0, SEEK_SET) == 0, "a file is written")
      dup2(file, STDIN_FILENO)
      return file
    }
    return -1
  }
}

private func settings(of name: String) -> (any HelperProtocol.Type)? { HelperProtocols.named(name) }

extension HelperBench {
  @GLibActor
  private static func askCargo(_ desk: TokenBroker, _ said: [UInt8]) async throws(Failure) {
    for line in said.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(4) {
      let request = try CargoHelper.Request(Array(line), desk)
      if ["logout", "login"].contains(request.kind) { continue }
      let answer = try await request.answer().text
      let registry =
        (try? JSONReader.read(Array(line)))?.object?["registry"]?.object?["index-url"]?.string ?? ""
      check(answer, for: registry.hasPrefix("sparse+") ? String(registry.dropFirst(7)) : registry)
    }
  }

  /// Only what shows no page.
  @GLibActor
  private static func tellDialogue(_ desk: TokenBroker, _ said: [UInt8]) async {
    let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(output) }
    let dialogue = RemoteDesktopDialogue(desk, output: output)
    for line in said.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(4) {
      let message = (try? JSONReader.read(Array(line)))?.object
      if message?["method"] == "navigate", message?["params"]?.object?["redirect_uri"]?.string != nil {
        continue
      }
      guard let next = try? await dialogue.hear(Array(line)), next == .goOn else { break }
    }
    await dialogue.end()
  }

  /// For what the program wants a token, as it says itself.
  private static func address(_ name: String, _ words: [String], _ said: [UInt8]) -> String {
    // What is in the environment ends with a zero, and is text.
    let told = said.prefix { $0 != 0 }.map(\.self).text
    let object = (try? JSONReader.read(name == "kubernetes" ? told.bytes : said))?.object
    switch name {
    case "docker": return said.text
    case "bazel":
      let text = object?["uri"]?.string ?? ""
      return text.hasPrefix("grpc") ? "http" + text.dropFirst(4) : text
    case "kubernetes": return object?["spec"]?.object?["cluster"]?.object?["server"]?.string ?? ""
    case "google": return "https:" + (told.splitOnce(at: "\n").1 ?? "")
    default: return words.dropFirst().filter { !$0.hasPrefix("-") }.joined(separator: " ")
    }
  }

  /// A token is there only for its own server, and an answer is no more than one.
  private static func check(_ answer: String, for address: String) {
    demand(
      answer.isEmpty || answer.utf8.last == 0x0A || answer.utf8.last == UInt8(ascii: "}"),
      "a line ends: \(answer)")
    let servers = address.split(separator: " ").compactMap { word -> String? in
      let text = word.lowercased().split(separator: "\n").first.map(String.init) ?? ""
      let rest = text.startOfAuthority.map { String(text[$0...]) } ?? text
      return text.startOfAuthority == nil || text.hasPrefix("https://")
        ? String(rest.prefix { !"/?#".contains($0) }) : nil
    }
    let isForApp = servers.contains {
      ["app.example", "app.example:", "app.example:443"].contains(Self.withoutZeros($0))
    }
    let isForOther = servers.contains { Self.withoutZeros($0) == "other.example:8443" }
    demand(!answer.has(tokens.app) || isForApp, "\(address) gets \(answer)")
    demand(!answer.has(tokens.other) || isForOther, "\(address) gets \(answer)")
  }

  /// A port may be written with zeros in front.
  private static func withoutZeros(_ server: String) -> String {
    let (host, port) = server.splitOnce(at: ":")
    return port.map { "\(host):\($0.drop { $0 == "0" })" } ?? host
  }
}
