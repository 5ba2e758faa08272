import LoginCore

/// What is wrong with one option, one word of the command line, or one member of a request document. Names are those
/// that the caller has written.
package enum CommandLineFault: ApplicationFault {
  case unknownCommand(String, nearest: String?)
  case unknownOption(String, nearest: String?)
  /// An option that would put a secret where every user of the machine can read it.
  case secretOption(String)
  /// A word without an option, where none is expected.
  case unexpectedWord(String, of: String?)
  case takesNoValue(String)
  case needsValue(String)
  /// An option of another command.
  case notOf(String, command: String)
  /// An option that means something only together with another.
  case belongs(String, to: String)
  case givenTwice(String)
  case nameGivenTwice(String, name: String)
  /// A value of another kind than is wanted.
  case wants(String, Wanted)
  /// A command whose program is not there.
  case noProgram(String, name: String)
  case choice(String, of: [String], nearest: String?)
  case address(String, text: String, AddressFault)
  /// A parameter that the request sets itself, and the option that does so.
  case reservedParameter(String, option: String?)
  case file(String, FileProblem)
  case lacks(command: String, Lacking)
  /// A request document that cannot be read.
  case document(JSONFault)
  case unknownMember(String, nearest: String?)
  /// What an option or a variable says is no text, and would be another one if it was read as such.
  case notUTF8(String)
  /// What git says cannot be read.
  case git(GitProblem)

  /// What a value has to be.
  package enum Wanted: Sendable, Equatable {
    case cleanText, seconds, pair(String), flag
    case string, strings, number, stringOrStrings, pairs, pairsOfStrings, pairNames
    case token, responseType, resource, apiAddress, authorizationDetails, store, accountName(limit: Int),
      sessionName, command, parentWindow
    case windowSize
    case oneCertificate(found: Int)
  }

  /// Why a file, or standard input, is not read.
  package enum FileProblem: Sendable, Equatable {
    case unusable(FileFault)
    /// It cannot be read to its end, in the system's words.
    case unreadable(path: String, String)
    case tooLarge(path: String, limit: Int)
    case notOneLine(path: String)
    /// A secret comes from a file alone.
    case standardInput
    case noToken
  }

  /// What a command cannot do without.
  package enum Lacking: Sendable, Equatable {
    case options([String])
    case address, url, accountOrSession, gitOperation
  }

  /// Why what git says cannot be read.
  package enum GitProblem: Sendable, Equatable {
    case nul, noAttribute, carriageReturn, noURL, controlCharacters
  }

  package var concernsOthers: Bool { false }
}

extension Failure {
  /// Something is wrong with the command line or a request document.
  package static func commandLine(_ fault: CommandLineFault) -> Failure { .application(fault) }
}

extension CommandLineFault: Reportable {
  var verdict: Verdict { .invalidOption }

  /// How a secret is said that nobody says with an option.
  private static func otherWay(than flag: String) -> Sentence {
    switch flag {
    case "--client-secret": "use --client-secret-file, --request or TOKENTRY_CLIENT_SECRET"
    case "--password": "use --password-file, --request or TOKENTRY_PASSWORD"
    default: FileProblem.otherWay
    }
  }

  var saying: Saying {
    let help: Sentence = "see `tokentry --help`"
    return switch self {
    case .unknownCommand(let word, let nearest):
      Saying("there is no command \"\(word.forDisplay(limit: 60))\"", hint: nearest.map(didYouMean) ?? help)
    case .unknownOption(let flag, let nearest):
      Saying("there is no option \(flag.forDisplay(limit: 60))", hint: nearest.map(didYouMean) ?? help)
    case .secretOption(let flag):
      Saying(
        "\(flag) does not exist: every user of the machine can read a command line",
        hint: Self.otherWay(than: flag))
    case .unexpectedWord(let word, let command):
      Saying(
        "\"\(word.forDisplay(limit: 60))\" is not expected here",
        hint: command.map { "a value with spaces needs quotes; see `tokentry \($0) --help`" }
          ?? "a value with spaces needs quotes; see `tokentry --help`")
    case .takesNoValue(let name): "\(name) takes no value"
    case .needsValue(let name): "\(name) needs a value"
    case .notOf(let name, let command):
      Saying("\(name) is not an option of \(command)", hint: "see `tokentry \(command) --help`")
    case .belongs(let name, let other): "\(name) only makes sense with \(other)"
    case .givenTwice(let name): "\(name) is given twice"
    case .nameGivenTwice(let option, let name): "\(option) gives \"\(name.forDisplay(limit: 60))\" twice"
    case .wants(let name, .sessionName): "\(name): the name is too long"
    case .wants(let name, .oneCertificate(let found)):
      found == 0
        ? "\(name.forDisplay(limit: 100)): the file holds no certificate"
        : "\(name.forDisplay(limit: 100)): the file holds several certificates"
    case .wants(let name, let wanted): "\(name) takes \(wanted.words)"
    case .choice(let name, let choices, let nearest):
      Saying("\(name) takes \(choices.verbatim.list)", hint: nearest.map(didYouMean))
    case .noProgram(let name, let program):
      "\(name): there is no program \"\(program.forDisplay(limit: 100))\""
    case .address("", let text, let fault):
      "\"\(Redaction.given(text).forDisplay(limit: 100))\" is \(fault.words)"
    case .address(let name, let text, let fault):
      "\(name): \"\(Redaction.given(text).forDisplay(limit: 100))\" is \(fault.words)"
    case .reservedParameter(let name, let option):
      Saying(
        "\(name.forDisplay(limit: 80)): the request sets this parameter itself",
        hint: option.map { "use \($0)" })
    case .file(let name, let problem):
      Saying("\(name): \(problem.saying.words)", hint: problem.saying.hint)
    case .lacks(let command, let lacking):
      Saying("\(command) needs \(lacking.saying.words)", hint: lacking.saying.hint)
    case .document(let fault): "--request: \(fault.words)"
    case .unknownMember(let name, let nearest):
      Saying(
        "--request: unknown member \"\(name.forDisplay(limit: 60))\"",
        hint: nearest.map { "did you mean \"\($0)\"?" })
    case .notUTF8(let name): "\(name): \(JSONFault.Reason.notUTF8.words)"
    case .git(let problem): "what git says cannot be read: \(problem.words)"
    }
  }
}

extension CommandLineFault.Wanted {
  fileprivate var words: Sentence {
    switch self {
    case .cleanText: "UTF-8 text without control characters"
    case .seconds: "a number of seconds"
    case .pair(let shape): Sentence(verbatim: shape)
    case .flag: "true or false"
    case .string: "a string"
    case .strings: "strings"
    case .number: "a number"
    case .stringOrStrings: "a string or an array of strings"
    case .pairs: "an object of strings"
    case .pairsOfStrings: "strings as its values"
    case .pairNames: "names without = and :"
    case .token: "a token as login printed it"
    case .responseType: "code, token, id_token or several of them"
    case .resource: "an absolute URI without a fragment"
    case .apiAddress: "the address of one API, if nobody says who issues its tokens"
    case .authorizationDetails: "a file with a JSON array of objects, each with a type (RFC 9396)"
    case .store: "keyring or file:PATH"
    case .accountName(let limit): "one line of visible text of at most \(limit) bytes"
    case .command: "a command, quoted as for a shell"
    case .windowSize: "a width and a height, each from 200 to 10000, such as 960x720"
    case .parentWindow: "x11: with a window's number in hexadecimal, or wayland: with a handle"
    case .sessionName, .oneCertificate: ""
    }
  }
}

extension CommandLineFault.FileProblem {
  fileprivate static let otherWay: Sentence = "--request - reads a secret from standard input"

  fileprivate var saying: Saying {
    switch self {
    case .unusable(let fault): fault.saying
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .tooLarge(let path, let limit): "\(path) is larger than \(limit) bytes"
    case .notOneLine(let path): "\(path) does not hold one line of text"
    case .standardInput: Saying("standard input is not a file", hint: Self.otherWay)
    case .noToken: "this is not a token as login prints it"
    }
  }
}

extension CommandLineFault.Lacking {
  fileprivate var saying: Saying {
    switch self {
    case .options(let flags): Saying(flags.verbatim.conjunction)
    case .address: "the address of what is asked for"
    case .url:
      Saying("the address of an API", hint: "add it, or set CLAUDE_CODE_MCP_SERVER_URL as Claude Code does")
    case .accountOrSession:
      Saying("--account or --session", hint: "`tokentry accounts` lists the accounts that are kept")
    case .gitOperation: Saying("get, store or erase", hint: "git adds it itself")
    }
  }
}

extension CommandLineFault.GitProblem {
  fileprivate var words: Sentence {
    switch self {
    case .nul: "there is a NUL in it"
    case .noAttribute: "a line is not an attribute"
    case .carriageReturn: "there is a carriage return in it"
    case .noURL: "its url is not a URL"
    case .controlCharacters: "its url has control characters"
    }
  }
}
