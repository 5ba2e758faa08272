import LoginCore

/// What may come next on a command line: shells ask for it while somebody is typing, and get what the tables of
/// commands and options say, so that no list is kept a second time for them.
struct Completion: Equatable {
  /// A line for the shell: what may be typed, and behind a tab what it is.
  struct Candidate: Equatable {
    let word: String
    let meaning: String

    init(_ word: String, _ meaning: String = "") {
      (self.word, self.meaning) = (word, meaning.forDisplay(limit: 200))
    }

    /// Has the shell offer the names of files, which it knows how to write.
    static let files = Candidate(":files")

    var line: String { meaning.isEmpty ? word : "\(word)\t\(meaning)" }
  }

  /// What stands in a table, and what has to be looked up.
  enum Source: Equatable {
    case candidates([Candidate])
    case presets
    case accounts
    case sessions
  }

  /// What makes this program answer a shell: no option, so that nobody's command line does.
  static let argument = "complete-words:"

  /// Where the candidates come from.
  let sources: [Source]
  /// What is typed already of the word and belongs to an option: `--agent=`.
  let prefix: String
  /// Where the command line says that accounts are kept.
  let store: String?

  /// Reads the words behind the name of the program; the last one is being typed, and may be empty.
  init(_ words: ArraySlice<String>) {
    let typed = words.last ?? ""
    var known = words.dropLast()
    let command = known.first.flatMap(Command.init)
    let isFirst = known.isEmpty
    if command != nil { known = known.dropFirst() }
    let helper = command == .helper ? known.first.flatMap(HelperProtocols.named) : nil
    let line = Line(known)
    store = line.store
    let (flag, attached) = typed.splitOnce(at: "=")
    if let option = line.pending {
      (sources, prefix) = (Self.values(of: option), "")
    } else if attached != nil, let option = Option(typed: flag) {
      (sources, prefix) = (Self.values(of: option), flag + "=")
    } else {
      let options =
        (helper.map { $0.hasArgumentsOfItsOwn ? [.help] : $0.allOptions } ?? (command ?? .login).options)
        .filter { $0.isRepeatable || !line.given.contains($0) }
        + (isFirst ? [.version] : [])
      let flags = Source.candidates(options.map { Candidate($0.flag, $0.help) })
      let words = isFirst ? [Self.commands] : helper == nil ? command.map(Self.operands) ?? [] : []
      (sources, prefix) = (typed.hasPrefix("-") || words.isEmpty ? [flags] : words, "")
    }
  }

  private static var commands: Source {
    .candidates(Command.allCases.map { Candidate($0.rawValue, $0.summary) })
  }

  private static func operands(of command: Command) -> [Source] {
    switch command {
    case .providers: [.presets, .candidates([.files])]
    case .helper: [.candidates(HelperProtocols.all.map { Candidate($0.name, $0.callers) })]
    case .gitCredential: [.candidates(GitHelper.operations.map { Candidate($0) })]
    default: []
    }
  }

  private static func values(of option: Option) -> [Source] {
    switch (option, option.value) {
    case (.provider, _): [.presets, .candidates([.files])]
    case (.account, _): [.accounts]
    case (.session, _): [.sessions]
    case (.store, _): [.candidates([Candidate("keyring"), Candidate("file:")])]
    case (_, .choice(let choices)): [.candidates(choices.map { Candidate($0) })]
    case (_, .text(let shape)), (_, .texts(let shape)):
      [.candidates(shape.parts(at: "|").contains("FILE") ? [.files] : [])]
    case (_, .none), (_, .seconds), (_, .pair): [.candidates([])]
    }
  }
}

/// The words in front of the one that is typed.
private struct Line {
  var given: [Option] = []
  var store: String?
  /// The option whose value comes next.
  var pending: Option?

  init(_ words: ArraySlice<String>) {
    for word in words {
      if let option = pending {
        pending = nil
        if option == .store { store = word }
        continue
      }
      let (flag, value) = word.splitOnce(at: "=")
      guard let option = Option(typed: flag) else { continue }
      given.append(option)
      if case .none = option.value { continue }
      if value == nil { pending = option } else if option == .store { store = value }
    }
  }
}

extension Option {
  /// The option that is typed so.
  init?(typed flag: String) {
    guard let option = Self.allCases.first(where: { $0.flag == flag || $0.letter.map { "-\($0)" } == flag })
    else { return nil }
    self = option
  }
}
