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

  var words: String {
    switch self {
    case .unavailable(let obstacle): obstacle.words
    case .locked: "the keyring is locked"
    case .unknownAccount(let name, _): "there is no account \"\(name)\""
    case .unreadable(let account, let fault): "the account \"\(account)\" cannot be read: \(fault.words)"
    case .unknownClient(let provider): "no client is kept for \(provider) and this redirect URI"
    case .unreadableClient(let provider, let fault):
      "the client kept for \(provider) cannot be read: \(fault.words)"
    }
  }

  var hint: String? {
    switch self {
    case .unavailable(let obstacle): obstacle.hint
    case .locked: "unlock it, or keep accounts elsewhere with --store file:PATH"
    case .unknownAccount(_, let nearest):
      nearest.map(didYouMean) ?? "`tokentry accounts` lists those that are kept"
    case .unknownClient: "`tokentry register` makes one"
    case .unreadableClient: "`tokentry register --forget --force` removes it"
    case .unreadable: nil
    }
  }
}

extension StoreObstacle {
  /// What helps where there is no keyring.
  static let elsewhere = "--store file:PATH keeps accounts in a folder"

  var words: String {
    switch self {
    case .noKeyring: "there is no keyring yet"
    case .silentKeyring: "the keyring does not answer"
    case .keyring(let words): "the keyring cannot be used: \(words)"
    case .file(let fault): fault.words
    case .noFolderForLocks: "neither XDG_RUNTIME_DIR nor HOME is set"
    }
  }

  var hint: String? {
    switch self {
    case .noKeyring: "save an account once without --silent"
    case .silentKeyring, .keyring: Self.elsewhere
    case .file(let fault): fault.hint
    case .noFolderForLocks: nil
    }
  }
}

extension FileFault {
  package var words: String {
    switch reason {
    case .system(let code): "\(path): \(Self.systemWords(code))"
    case .symbolicLink: "\(path) is a symbolic link"
    case .notRegular: "\(path) is not a regular file"
    case .otherOwner: "\(path) belongs to another user"
    case .open: "\(path) can be read or written by other users"
    case .writable: "other users can change what is in \(path)"
    case .shared: "\(path) is not for this user alone"
    case .tooLarge: "\(path) is too large"
    }
  }

  /// The system's own words for one of its errors.
  static func systemWords(_ code: Int32) -> String { String(cString: strerror(code)) }

  package var hint: String? {
    switch reason {
    case .open(let isFolder): "chmod \(isFolder ? "700" : "600") \(path)"
    case .writable: "chmod go-w \(path)"
    case .shared: "use a folder of your own, which mkdir -m 700 makes"
    default: nil
    }
  }
}

extension AccountFault {
  package var words: String {
    switch self {
    case .notJSON(let fault): fault.words
    case .unknownVersion: "a later version of tokentry has written it"
    case .member(let name): "\(name) is missing or wrong"
    case .otherName: "it belongs to another account"
    }
  }
}
