import GLibSupport
import LoginCore
import Platform
import SignIn
import WindowProtocol

/// The words that may come next on a command line. Shells call this program for them, so that they need no lists of
/// commands and options of their own.
struct Completion: Equatable {
  /// A word, with an explanation.
  struct Candidate: Equatable {
    let word: String
    let meaning: String

    init(_ word: String, _ meaning: String = "") {
      (self.word, self.meaning) = (word, meaning.forDisplay(limit: 200))
    }

    /// Makes the shell offer file names.
    static let files = Candidate(":files")

    /// The line for the shell: the word, and after a tab the explanation.
    var line: String { meaning.isEmpty ? word : "\(word)\t\(meaning)" }
  }

  /// Known words, or words that have to be looked up.
  enum Source: Equatable {
    case candidates([Candidate])
    case presets
    case accounts
    case sessions
  }

  /// The first argument of a call from a shell. It is not an option, so that users do not type it by mistake.
  static let argument = "complete-words:"

  let sources: [Source]
  /// The option in a word such as `--way=`, in front of the value that is completed.
  let prefix: String
  /// The value of `--store` on the command line.
  let store: String?

  /// Reads the words after the name of the program. The last one is the word that is being typed, and may be empty.
  init(_ words: ArraySlice<String>) {
    let typed = words.last ?? ""
    var known = words.dropLast()
    let asksForHelp = known.elementsEqual(["help"])
    if asksForHelp { known = [] }
    let command = known.first.flatMap(Command.init(typed:))
    let isFirst = known.isEmpty
    if command != nil { known = known.dropFirst() }
    let helper = command == .helper ? known.first.flatMap(HelperProtocols.named) : nil
    let arguments = helper?.arguments ?? []
    let line = Line(known, arguments)
    store = line.store
    let (flag, attached) = typed.splitOnce(at: "=")
    if let option = line.pending {
      (sources, prefix) = (Self.values(of: option), "")
    } else if attached != nil, let option = Option(typed: flag, among: arguments) {
      (sources, prefix) = (Self.values(of: option), flag + "=")
    } else {
      let options =
        (helper.map { $0.hasArgumentsOfItsOwn ? GeneralWishes.options("help") : $0.options }
        ?? (command ?? .login).options)
        .filter { !$0.isMemberOnly && ($0.isRepeatable || !line.given.contains($0)) }
        + (isFirst ? GeneralWishes.options("version") : [])
      let flags = Source.candidates(options.map { Candidate($0.flag, $0.help) })
      let all = Candidate("all", "everything")
      let topics = asksForHelp ? [Source.candidates([all])] : []
      let words = isFirst ? [Self.commands] + topics : helper == nil ? command.map(Self.operands) ?? [] : []
      (sources, prefix) = (typed.hasPrefix("-") || words.isEmpty ? [flags] : words, "")
    }
  }

  private static var commands: Source {
    .candidates(Command.allCases.map { Candidate($0.rawValue, $0.summary) })
  }

  private static func operands(of command: Command) -> [Source] {
    switch command {
    case .providers, .login, .explain: [.presets, .candidates([.files])]
    case .token, .logout, .userinfo, .keep: [.accounts]
    case .helper: [.candidates(HelperProtocols.all.map { Candidate($0.name, $0.callers) })]
    default: []
    }
  }

  private static func values(of option: Option) -> [Source] {
    switch option.value {
    case _ where option.name == "provider": [.presets, .candidates([.files])]
    case _ where option.name == "account": [.accounts]
    case _ where option.name == "session": [.sessions]
    case _ where option.name == "store":
      [.candidates([Candidate("keyring"), Candidate("file:"), Candidate("agent:")])]
    case .choice(_, let choices): [.candidates(choices().map { Candidate($0) })]
    case .text(let shape), .texts(let shape):
      [.candidates(shape.parts(at: "|").contains("FILE") ? [.files] : [])]
    default: [.candidates([])]
    }
  }
}

/// The words before the one that is being typed.
private struct Line {
  var given: [Option] = []
  var store: String?
  /// The option whose value comes next.
  var pending: Option?

  init(_ words: ArraySlice<String>, _ arguments: [Option]) {
    for word in words {
      if let option = pending {
        pending = nil
        if option.name == "store" { store = word }
        continue
      }
      let (flag, value) = word.splitOnce(at: "=")
      guard let option = Option(typed: flag, among: arguments) else { continue }
      given.append(option)
      guard option.takesValue else { continue }
      if value == nil { pending = option } else if option.name == "store" { store = value }
    }
  }
}

/// Looking words up.
extension Completion {
  /// How many seconds the user, who is typing, waits for a keyring.
  private static let patience = 2

  /// Returns the lines for the shell. Words that cannot be looked up are missing, because there is no place for a message.
  func text() -> String {
    let candidates = GLibActor.run { () async -> [Candidate] in
      var all: [Candidate] = []
      for source in sources { all += await found(in: source) }
      return all
    }
    // A line feed in a name would look like two words.
    let lines = candidates.filter { !$0.word.unicodeScalars.contains(where: \.isControl) }
    return lines.map { ($0 == .files ? "" : prefix) + $0.line + "\n" }.joined()
  }

  @GLibActor
  private func found(in source: Source) async -> [Candidate] {
    let environment = Environment()
    switch source {
    case .candidates(let candidates): return candidates
    case .presets:
      return ProviderCatalog(environment: environment).files().map { name, path in
        Candidate(name, (try? ProviderCatalog.read(path))?.name ?? "")
      }
    case .accounts:
      let accounts = (try? await accounts(environment)) ?? []
      return accounts.map { Candidate($0.name.description) }
    case .sessions: return CookieJar.names(under: environment.stateFolder).map { Candidate($0.text) }
    }
  }

  @GLibActor
  private func accounts(_ environment: Environment) async throws(Failure) -> [StoredAccount] {
    var wishes = Wishes()
    if let store {
      let option = PlaceWishes.option("store")
      try wishes.take([try Given(option, store, as: option.flag)])
    }
    let run = Run()
    run.setDeadline(seconds: Self.patience, isGiven: true)
    let interruption = Interruption(of: run)
    let composition = try Composition(
      wishes.place, wishes.asking, mayAskForKeyring: false, run, interruption, environment)
    return try await interruption.command { () async throws(Failure) in try await composition.store.list() }
  }
}
