import Language
import LoginCore

/// `tokentry accounts`: lists the accounts, without secrets. It never asks for a password, so of an account in a locked
/// keyring only the name is known.
struct AccountsCommand: Action {
  private let tokens: any TokenSource
  private let isForReader: Bool

  static let options =
    PlaceWishes.options("store") + AskingWishes.options("timeout") + AnswerWishes.options

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    tokens = shared.tokens(try TokenTerms(wishes, shared))
    isForReader = wishes.answer.isForReader
  }

  func text() async throws(Failure) -> String {
    let accounts = try await tokens.accounts()
    if isForReader, accounts.isEmpty { return ("no account is saved" as Message).text + "\n" }
    if isForReader { return Self.table(accounts, .ofTable) }
    let object: JSONObject = ["accounts": .array(accounts.map(JSONValue.object))]
    return object.text + "\n"
  }

  /// Returns the table for people. `time` words a time in the user's zone.
  static func table(
    _ accounts: [JSONObject], _ style: TerminalStyle, time: (UTCDate) -> String = \.inUsersZone
  ) -> String {
    let heads: [Message] = ["ACCOUNT", "USER", "PROVIDER", "FOR", "TOKEN UNTIL"]
    let rows = accounts.map { account -> [TerminalStyle.Cell] in
      let text = { (name: String) in (account[name]?.string ?? "").forDisplay(limit: 200) }
      if account["error"] != nil { return [(text("account"), .bold), (text("error"), .red)] }
      if account["locked"] != nil { return [(text("account"), .bold), (("locked" as Message).text, .faint)] }
      let origins = (account["for"]?.strings ?? []).joined(separator: " ").forDisplay(limit: 200)
      return [
        (text("account"), .bold), (text("user"), nil), (text("provider"), nil), (origins, nil),
        (end(of: account, time), nil),
      ]
    }
    return style.table([heads.map { ($0.text, .faint) }] + rows)
  }

  /// The time until which the token is good. An account that renews it needs no sign-in then.
  private static func end(of account: JSONObject, _ time: (UTCDate) -> String) -> String {
    let end = account["expires_at"]?.string.flatMap { UTCDate($0) }.map(time)
    guard account["can_refresh"] == true else { return end ?? "" }
    let words: Message = end.map { "\($0), renewed by itself" } ?? "renewed by itself"
    return words.text
  }
}
