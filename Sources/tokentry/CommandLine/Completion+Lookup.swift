import GLibSupport
import LoginCore
import LoginWays
import Wording

extension Completion {
  /// How long somebody who types waits for a keyring that does not answer.
  private static let patience = 2

  /// The lines for the shell. What cannot be looked up is left out: there is no place to say why.
  func text() -> String {
    let candidates = GLibActor.run { () async -> [Candidate] in
      var all: [Candidate] = []
      for source in sources { all += await found(in: source) }
      return all
    }
    // A name with a line feed in it cannot be told.
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
    var settings = Settings()
    if let store { try settings.set(.store, store, as: Option.store.flag) }
    let interruption = Interruption()
    interruption.setDeadline(seconds: Self.patience, isGiven: true)
    let run = try await Composition(
      settings, mayAskForKeyring: false, Messages(), interruption, environment)
    return try await interruption.first { () async throws(Failure) in try await run.store.list() }
  }
}
