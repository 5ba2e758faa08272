import Glibc
import LoginCore

extension StoreFault {
  var verdict: Verdict {
    switch self {
    case .unavailable, .unreadable, .unreadableClient: .storeUnavailable
    case .locked: .storeLocked
    case .unknownAccount: .unknownAccount
    case .unknownClient: .unknownClient
    }
  }

  var saying: Saying {
    switch self {
    case .unavailable(let obstacle): obstacle.saying
    case .locked:
      Saying("the keyring is locked", hint: "unlock it, or keep accounts elsewhere with --store file:PATH")
    case .unknownAccount(let name, let nearest):
      Saying(
        "there is no account \"\(name)\"",
        hint: nearest.map(didYouMean)
          ?? "`tokentry accounts`, with the same --store if there is one, lists those that are kept")
    case .unreadable(let account, .unknownVersion):
      "the account \"\(account)\" cannot be read: \(AccountFault.unknownVersion.words)"
    case .unreadable(let account, let fault):
      Saying(
        "the account \"\(account)\" cannot be read: \(fault.words)",
        hint: "`tokentry logout --account NAME --force` forgets it, so that you can sign in anew")
    case .unknownClient(let provider):
      Saying(
        "no client is kept for \(provider) and this redirect URI", hint: "`tokentry register` makes one")
    case .unreadableClient(let provider, let fault):
      Saying(
        "the client kept for \(provider) cannot be read: \(fault.words)",
        hint: "`tokentry register --forget --force` removes it")
    }
  }
}

extension StoreObstacle {
  /// What helps where there is no keyring.
  static let elsewhere: Sentence = "--store file:PATH keeps accounts in a folder"

  fileprivate var saying: Saying {
    switch self {
    case .noKeyring: Saying("there is no keyring yet", hint: "save an account once without --silent")
    case .noMessageBus: Saying("there is no session bus, and no keyring without it", hint: Self.elsewhere)
    case .silentKeyring: Saying("the keyring does not answer", hint: Self.elsewhere)
    case .keyring(let words): Saying("the keyring cannot be used: \(words)", hint: Self.elsewhere)
    case .file(let fault):
      Saying(
        "the store cannot be used: \(fault.saying.words)",
        hint: fault.saying.hint
          ?? (fault.isSystems ? "--store file:PATH takes a folder that you can write to" : nil))
    case .noFolderForLocks: "neither XDG_RUNTIME_DIR nor HOME is set"
    }
  }
}

extension FileFault {
  /// What helps where a folder is not to be changed.
  static let ownFolder: Sentence = "use a folder of your own, made with mkdir -m 700"

  fileprivate var isSystems: Bool { if case .system = reason { true } else { false } }

  package var words: Sentence { saying.words }

  var saying: Saying {
    switch reason {
    case .system(let code): "\(path): \(Self.systemWords(code))"
    case .symbolicLink: "\(path) is a symbolic link"
    case .notRegular: "\(path) is not a regular file"
    case .otherOwner: "\(path) belongs to another user"
    case .open(let isFolder):
      Saying(
        "\(path) can be read or written by other users", hint: "chmod \(isFolder ? "700" : "600") \(path)")
    case .writable: Saying("other users can change what is in \(path)", hint: "chmod go-w \(path)")
    case .shared:
      Saying("\(path) is shared with other users", hint: Self.ownFolder)
    case .tooLarge: "\(path) is too large"
    }
  }

  /// The system's own words for one of its errors.
  static func systemWords(_ code: Int32) -> String { String(cString: strerror(code)) }
}

extension AccountFault {
  package var words: Sentence {
    switch self {
    case .notJSON(let fault): fault.words
    case .unknownVersion: "it was written by a later version of tokentry"
    case .member(let name): "\(name) is missing or wrong"
    case .otherName: "it belongs to another account"
    }
  }
}
