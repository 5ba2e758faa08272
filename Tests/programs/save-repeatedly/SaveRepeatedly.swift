import GLibSupport
import Glibc
import LoginCore
import SecretStore

/// Saves one account in a folder again and again, with a longer token each time, until it is killed, for a test of
/// crashes. Prints a line after each save. Exits with status 3 if saving fails.
///
/// usage: save-repeatedly FOLDER
@main
enum SaveRepeatedly {
  static func main() {
    GLibActor.run {
      let store = FileStore(folder: CommandLine.arguments[1])
      for number in 1... {
        guard let account = try? account(number), (try? await store.save(account)) != nil else { exit(3) }
        print("saved")
        fflush(nil)
      }
    }
  }

  /// The token repeats its number, so that a mixture of two accounts is noticed.
  private static func account(_ number: Int) throws -> Account? {
    let text = String(repeating: "\(number).", count: 1 + (number - 1) * 2_000 % 100_000)
    guard let name = AccountName("crash"), let receivedAt = UTCDate("2026-11-21T07:14:00Z"),
      let token = Token(json: ["access_token": .string(text), "token_type": "Bearer"])
    else { return nil }
    let redirectURI = try RedirectURI("https://app.example/done")
    let login = LoginRequest(provider: Provider(), clientID: "client", redirectURI: redirectURI)
    return Account(name, login: login, token: token, receivedAt: receivedAt)
  }
}
