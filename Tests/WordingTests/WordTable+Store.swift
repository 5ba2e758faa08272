import LoginWays
import Wording

@testable import LoginCore

/// Accounts that are not there, and defects.
extension WordTable {
  static let store: [Row] = [
    Row(
      .store(.unavailable(.noKeyring)), "store_unavailable", "there is no keyring yet",
      hint: "save an account once without --silent"),
    Row(
      .store(.unavailable(.noMessageBus)), "store_unavailable",
      "there is no session bus, and no keyring without it",
      hint: "--store file:PATH keeps accounts in a folder"),
    Row(
      .store(.unavailable(.silentKeyring)), "store_unavailable", "the keyring does not answer",
      hint: "--store file:PATH keeps accounts in a folder"),
    Row(
      .store(.unavailable(.keyring("the name has no owner"))), "store_unavailable",
      "the keyring cannot be used: the name has no owner",
      hint: "--store file:PATH keeps accounts in a folder"),
    Row(
      .store(.unavailable(.file(FileFault(path: "/a", reason: .system(13))))), "store_unavailable",
      "the store cannot be used: /a: Permission denied",
      hint: "--store file:PATH takes a folder that you can write to"),
    Row(
      .store(.unavailable(.file(FileFault(path: "/a", reason: .symbolicLink)))), "store_unavailable",
      "the store cannot be used: /a is a symbolic link"),
    Row(
      .store(.unavailable(.file(FileFault(path: "/a", reason: .notRegular)))), "store_unavailable",
      "the store cannot be used: /a is not a regular file"),
    Row(
      .store(.unavailable(.file(FileFault(path: "/a", reason: .otherOwner)))), "store_unavailable",
      "the store cannot be used: /a belongs to another user"),
    Row(
      .store(.unavailable(.file(FileFault(path: "/a", reason: .open(isFolder: true))))), "store_unavailable",
      "the store cannot be used: /a can be read or written by other users", hint: "chmod 700 /a"),
    Row(
      .store(.unavailable(.file(FileFault(path: "/a", reason: .open(isFolder: false))))), "store_unavailable",
      "the store cannot be used: /a can be read or written by other users", hint: "chmod 600 /a"),
    Row(
      .store(.unavailable(.file(FileFault(path: "/a", reason: .tooLarge)))), "store_unavailable",
      "the store cannot be used: /a is too large"),
    Row(
      .store(.unavailable(.noFolderForLocks)), "store_unavailable", "neither XDG_RUNTIME_DIR nor HOME is set"),
    Row(
      .store(.locked), "store_locked", "the keyring is locked",
      hint: "unlock it, or keep accounts elsewhere with --store file:PATH"),
    Row(
      .store(.unknownAccount("wrk", nearest: "work")), "unknown_account", #"there is no account "wrk""#,
      hint: "did you mean work?"),
    Row(
      .store(.unknownAccount("x")), "unknown_account", #"there is no account "x""#,
      hint: "`tokentry accounts`, with the same --store if there is one, lists those that are kept"),
    Row(
      .store(.unreadable(account: "work", .notJSON(JSONFault(reason: .tooDeep, line: 1)))),
      "store_unavailable",
      #"the account "work" cannot be read: line 1: objects and arrays are nested too deeply"#,
      hint: "`tokentry logout --account NAME --force` forgets it, so that you can sign in anew"),
    Row(
      .store(.unreadable(account: "work", .unknownVersion)), "store_unavailable",
      #"the account "work" cannot be read: it was written by a later version of tokentry"#),
    Row(
      .store(.unreadable(account: "work", .member("token"))), "store_unavailable",
      #"the account "work" cannot be read: token is missing or wrong"#,
      hint: "`tokentry logout --account NAME --force` forgets it, so that you can sign in anew"),
    Row(
      .store(.unreadable(account: "work", .otherName)), "store_unavailable",
      #"the account "work" cannot be read: it belongs to another account"#,
      hint: "`tokentry logout --account NAME --force` forgets it, so that you can sign in anew"),
    Row(
      .store(.unknownClient(of: "as.test")), "unknown_client",
      "no client is kept for as.test and this redirect URI", hint: "`tokentry register` makes one"),
    Row(
      .store(.unreadableClient(of: "as.test", .unknownVersion)), "store_unavailable",
      "the client kept for as.test cannot be read: it was written by a later version of tokentry",
      hint: "`tokentry register --forget --force` removes it"),
    Row(
      .defect(Defect(place: "LoginCore/Account.swift:7", detail: nil)), "internal_error",
      "a defect in tokentry: LoginCore/Account.swift:7"),
    Row(
      .defect(Defect(place: "LoginCore/Account.swift:7", detail: "no memory")), "internal_error",
      "a defect in tokentry: LoginCore/Account.swift:7: no memory"),
    Row(
      .application(ApplicationsOwn.reason("it rains")), "internal_error",
      #"a defect in tokentry: reason("it rains")"#),
    Row(
      .repeated(Report(.store(.locked)).told), "store_locked", "the keyring is locked",
      hint: "unlock it, or keep accounts elsewhere with --store file:PATH"),
    Row(.repeated(["status": 1]), "internal_error", "a defect in tokentry: repeated"),
  ]
}
