import LoginCore
import SignIn

/// `tokentry register`: registers a client at the provider and keeps it, unless one is kept already. With `--forget`,
/// deletes it. Prints no secret, because `login` reads the client from where it is kept.
struct RegisterCommand: Action {
  private let run: Composition
  private let login: LoginRequest
  private let registration: ClientRegistration
  private let forgets: Bool
  private let insists: Bool

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.run = run
    if settings[.clientAuthentication] == ClientAuthentication.privateKeyJWT.rawValue {
      throw .keyWithoutClient.with(hint: nil)
    }
    login = try LoginRequest(settings, needing: .registration, catalog: run.catalog)
    var new = NewClient(settings, run)
    // A client that the caller asks for is kept.
    new.isKept = true
    registration = ClientRegistration(run.host, new)
    (forgets, insists) = (settings.has(.forget), settings.has(.force))
    if insists, !forgets { throw .belongs(.force, to: .forget) }
  }

  func text() async throws(Failure) -> String {
    try await (forgets ? forgotten() : registered()).text + "\n"
  }

  private func registered() async throws(Failure) -> JSONObject {
    let port = ReservedPort(for: login.redirectURI, run.cryptography)
    let found = try await registration.client(for: login, at: port)
    return [
      "client_id": .string(found.client.clientID),
      "client_authentication": .string(found.client.authentication.rawValue),
      "redirect_uri": .string((found.client.redirectURI ?? login.redirectURI).description),
      "expires_at": found.client.secretExpiresAt.map { .string($0.description) },
      "registered": .bool(found.isNew),
    ]
  }

  private func forgotten() async throws(Failure) -> JSONObject {
    let forgotten = try await registration.forget(for: login, insisting: insists)
    if let failure = forgotten.failure { run.messages.warning(failure.message) }
    return [
      "client_id": (forgotten.client?.clientID).map(JSONValue.string), "deleted": .bool(forgotten.isDeleted),
      "forgotten": true,
    ]
  }
}
