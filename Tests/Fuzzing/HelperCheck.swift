import GLibSupport
import Glibc

@testable import LoginCore
@testable import Platform
@testable import SecretStore
@testable import SignIn
@testable import tokentry

extension Check {
  /// The dialogues of programs with their helpers: the helper and its arguments in the first line, and standard input or
  /// the value of an environment variable in the rest. A token goes only to its own server.
  static let helpers = Check(growing: [
    ("members", { elements($0, from: "bazel get\n{", to: "}") { "\"a\($0)\":1" } })
  ]
  ) { bytes in
    var input = Input(bytes)
    let words = input.text().split(separator: " ").map(String.init)
    guard let name = words.first, HelperBench.names.contains(name), words.allSatisfy(HelperBench.isHarmless),
      // An input with a token of the accounts would look like a leak.
      !contains(bytes, "t0ken-of".bytes), !hasSecrets(bytes) || PlainCryptography.mixed(bytes, 1)[0] & 63 == 0
    else { return }
    HelperBench.shared.ask(name, words, input.remainder)
  }

  /// True if the program would hide a part of the input as a secret for the rest of its run, which makes it slower.
  private static func hasSecrets(_ bytes: [UInt8]) -> Bool {
    bytes.contains(UInt8(ascii: "@")) || bytes.contains(UInt8(ascii: "="))
      || ["Secret", "token", "code", "state", "nonce"].contains { contains(bytes, $0.bytes) }
  }
}

/// The program's objects, and two accounts in a folder.
private final class HelperBench: Sendable {
  static let shared = HelperBench()
  static let names = [
    "docker", "bazel", "cargo", "terraform", "kubernetes", "keyring", "google", "headers", "freerdp",
  ]

  /// False for options that read files, ask servers or name an account.
  static func isHarmless(_ word: String) -> Bool {
    let flags = ["--lines", "--access-token", "--mode", "--output", "--mode=creds", "--output=json"]
    return !word.hasPrefix("-") || flags.contains(word)
  }

  private static let tokens = (app: "t0ken-of-the-app", other: "t0ken-of-the-other")
  private let shared: Composition
  private let folder: String

  private init() {
    folder = getenv("TOKENTRY_FUZZ_FOLDER").map { String(cString: $0) } ?? "/nonexistent"
    let place = "\(folder)/accounts-\(getpid())"
    setenv("TOKENTRY_STORE", "file:\(place)", 1)
    // libFuzzer needs these signals itself.
    let numbers = [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM]
    var actions = numbers.map { _ in sigaction() }
    for (index, number) in numbers.enumerated() { sigaction(number, nil, &actions[index]) }
    shared = GLibActor.run { await Self.composition() }
    for (index, number) in numbers.enumerated() { sigaction(number, &actions[index], nil) }
  }

  @GLibActor
  private static func composition() async -> Composition {
    do throws(Failure) {
      let time = Run()
      let shared = try Composition(
        PlaceWishes(), AskingWishes(), mayAskForKeyring: false, time,
        Interruption(of: time, watchesCaller: false), Environment())
      let store = try shared.store
      try await store.save(account("app", tokens.app, for: "https://app.example"))
      try await store.save(account("other", tokens.other, for: "https://other.example:8443"))
      return shared
    } catch {
      fatalError("the accounts cannot be made: \(error)")
    }
  }

  private static func account(_ name: String, _ token: String, for origin: String) -> Account {
    let members: JSONObject = [
      "access_token": .string(token), "token_type": "Bearer", "expires_at": "9999-01-01T00:00:00Z",
      "id_token": .string(token), "claims": ["exp": 9_999_999_999],
    ]
    var account = Account(
      require(AccountName(name), "the name is one"), login: Samples.login,
      token: require(Token(json: members), "the token is one"), receivedAt: Samples.now)
    account.origins = [require(try? Origin(origin), "the origin is one")]
    return account
  }

  /// Asks a helper once.
  func ask(_ name: String, _ words: [String], _ input: [UInt8]) {
    let said =
      switch name {
      case "cargo": Self.cargoRequests(in: input)
      case "freerdp": Self.remoteDesktopRequests(in: input)
      default: input
      }
    prepare(name, said)
    // Cargo's helper writes to standard output, and closes it at the end. FreeRDP's helper gets descriptors of its own.
    let (output, copy) = (temporaryFile(), fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1))
    dup2(output, StandardOutput.descriptor)
    defer {
      // Keep the number in use, or another file would get it.
      dup2(output, StandardOutput.descriptor)
      close(output)
      close(copy)
    }
    GLibActor.run { [shared] in
      do throws(Failure) {
        var wishes = try Invocation(["helper"] + words).wishes
        guard let type = wishes.helper else { return }
        if name == "freerdp" { wishes.operands = Self.descriptors(copy, output) }
        let text = try await type.init(TokenBroker(type, wishes, shared, mayAsk: false)).text()
        if name != "cargo" { Self.check(text, for: Self.address(name, words, said)) }
      } catch {
        checkReport(of: error)
        let refusal = HelperProtocols.named(name)?.refusal(of: error).output(Report(error)) ?? ""
        require(!refusal.has("t0ken-of"), "a refusal contains no token: \(refusal)")
      }
    }
    let answers = contents(of: output)
    switch name {
    case "cargo": Self.checkCargo(answers, to: said)
    default: require(!answers.text.has("t0ken-of"), "\(name) writes no token: \(answers.text)")
    }
  }

  /// Puts the input where the helper reads it.
  private func prepare(_ name: String, _ input: [UInt8]) {
    let text = input.prefix { $0 != 0 }.map(\.self).text
    switch name {
    case "kubernetes": setenv("KUBERNETES_EXEC_INFO", text, 1)
    case "google":
      let (type, audience) = text.splitOnce(at: "\n")
      setenv("GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE", type, 1)
      setenv("GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE", audience ?? "", 1)
    default:
      // Not a pipe, which would hold no more than 64 KiB until it is read.
      let file = temporaryFile()
      require(
        write(file, input, input.count) == input.count && lseek(file, 0, SEEK_SET) == 0,
        "the input can be written")
      dup2(file, STDIN_FILENO)
      close(file)
    }
  }

  /// Opens a file without a name.
  private func temporaryFile() -> Int32 {
    let path = "\(folder)/file-\(getpid())"
    defer { unlink(path) }
    return open(path, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0o600)
  }

  private func contents(of file: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, Int(lseek(file, 0, SEEK_END))))
    let count = pread(file, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }
}

/// Cargo sends requests in lines and gets an answer to each.
extension HelperBench {
  /// Returns the first requests that ask no server.
  private static func cargoRequests(in input: [UInt8]) -> [UInt8] {
    let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(4)
    let requests = lines.filter { line in
      let kind = (try? JSONReader.read(Array(line)))?.object?["kind"]?.string
      return !["login", "logout"].contains(kind)
    }
    return requests.flatMap { $0 + [0x0A] }
  }

  private static func checkCargo(_ answers: [UInt8], to requests: [UInt8]) {
    let requests = requests.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
    let answers = answers.split(separator: 0x0A)
    // Wrong arguments are refused before the first line.
    if answers.isEmpty { return }
    require(answers.count == requests.count + 1, "each request has an answer")
    for (request, answer) in zip(requests, answers.dropFirst()) {
      let object = (try? JSONReader.read(Array(request)))?.object
      let registry = object?["registry"]?.object?["index-url"]?.string ?? ""
      check(
        Array(answer).text + "\n",
        for: registry.hasPrefix("sparse+") ? String(registry.dropFirst(7)) : registry)
    }
  }
}

/// FreeRDP sends requests in lines over a descriptor of its own.
extension HelperBench {
  /// Returns the first requests, up to one that would show a page.
  private static func remoteDesktopRequests(in input: [UInt8]) -> [UInt8] {
    let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(4)
    let requests = lines.prefix { line in
      let message = (try? JSONReader.read(Array(line)))?.object
      return message?["method"] != "navigate" || message?["params"]?.object?["redirect_uri"]?.string == nil
    }
    return Array(requests.joined(separator: [0x0A]))
  }

  /// Returns the arguments that name the descriptors, which must not be standard ones.
  private static func descriptors(_ input: Int32, _ output: Int32) -> [String] {
    ["--cmdInFd=P\(String(input, radix: 16))", "--cmdOutFd=P\(String(output, radix: 16))"]
  }
}

extension HelperBench {
  /// Returns the address for which the program asks for a token.
  private static func address(_ name: String, _ words: [String], _ input: [UInt8]) -> String {
    // An environment variable ends at a NUL.
    let text = input.prefix { $0 != 0 }.map(\.self).text
    let object = (try? JSONReader.read(name == "kubernetes" ? text.bytes : input))?.object
    switch name {
    case "docker": return input.text
    case "bazel":
      let text = object?["uri"]?.string ?? ""
      return text.hasPrefix("grpc") ? "http" + text.dropFirst(4) : text
    case "kubernetes": return object?["spec"]?.object?["cluster"]?.object?["server"]?.string ?? ""
    case "google": return "https:" + (text.splitOnce(at: "\n").1 ?? "")
    default: return words.dropFirst().filter { !$0.hasPrefix("-") }.joined(separator: " ")
    }
  }

  /// Checks that an answer contains a token only if it is for the server of the address.
  private static func check(_ answer: String, for address: String) {
    require(
      answer.isEmpty || answer.utf8.last == 0x0A || answer.utf8.last == UInt8(ascii: "}"),
      "an answer ends with its line: \(answer)")
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
    require(!answer.has(tokens.app) || isForApp, "\(address) does not get \(answer)")
    require(!answer.has(tokens.other) || isForOther, "\(address) does not get \(answer)")
  }

  /// Removes leading zeros from a port.
  private static func withoutZeros(_ server: String) -> String {
    let (host, port) = server.splitOnce(at: ":")
    return port.map { "\(host):\($0.drop { $0 == "0" })" } ?? host
  }
}
