import LoginWays
import Testing

@testable import LoginCore
@testable import Wording

/// What every failure is to a person and to a program: the one table of their words, in parts that follow the faults.
enum WordTable {
  static let rows =
    caller + preset + user + provider + network + untrusted + store + way + commandLine + configuration
    + helper

  /// What the contract promises for the codes that are our own.
  static let contract: [String: Verdict] = {
    let verdicts = [
      Verdict("invalid_option", 2, .caller), Verdict("invalid_configuration", 2, .caller),
      Verdict("unknown_provider", 2, .caller), Verdict("origin_not_allowed", 2, .caller),
      Verdict("cancelled", 3, .user), Verdict("timeout", 4, .user, isRetryable: true),
      Verdict("network_error", 5, .network, isRetryable: true), Verdict("tls_error", 5, .network),
      Verdict("bad_provider_response", 5, .provider), Verdict("redirect_mismatch", 5, .caller),
      Verdict("state_mismatch", 6, .provider),
      Verdict("state_missing", 6, .provider), Verdict("issuer_mismatch", 6, .provider),
      Verdict("untrusted_metadata", 6, .provider),
      Verdict("duplicate_parameter", 6, .provider), Verdict("malformed_callback", 6, .provider),
      Verdict("missing_token", 6, .provider), Verdict("unsupported_token_type", 6, .provider),
      Verdict("invalid_id_token", 6, .provider), Verdict("nonce_mismatch", 6, .provider),
      Verdict("subject_mismatch", 6, .provider), Verdict("no_display", 7, .tokentry),
      Verdict("no_user_agent", 7, .tokentry), Verdict("window_failed", 7, .tokentry),
      Verdict("login_required", 8, .user), Verdict("already_in_progress", 8, .user, isRetryable: true),
      Verdict("store_unavailable", 9, .tokentry), Verdict("store_locked", 9, .user),
      Verdict("unknown_account", 9, .caller), Verdict("unknown_client", 9, .caller),
      Verdict("output_failed", 9, .caller), Verdict("internal_error", 70, .tokentry),
    ]
    return Dictionary(uniqueKeysWithValues: verdicts.map { ($0.code, $0) })
  }()

  /// One failure, and what is said of it.
  struct Row: Sendable, CustomTestStringConvertible {
    let failure: Failure
    let verdict: Verdict?
    let message: String
    let hint: String?
    let details: JSONObject?

    /// With what the contract promises for the code.
    init(
      _ failure: Failure, _ code: String, _ message: String, hint: String? = nil, details: JSONObject? = nil,
      origin: Verdict.Origin? = nil, isRetryable: Bool? = nil
    ) {
      (self.failure, self.message, self.hint, self.details) = (failure, message, hint, details)
      verdict = WordTable.contract[code].map {
        Verdict($0.code, $0.status, origin ?? $0.origin, isRetryable: isRetryable ?? $0.isRetryable)
      }
    }

    /// With a code of somebody else's.
    init(
      _ failure: Failure, refusal code: String, status: Int32 = 1, isRetryable: Bool = false,
      _ message: String, hint: String? = nil, details: JSONObject? = nil
    ) {
      (self.failure, self.message, self.hint, self.details) = (failure, message, hint, details)
      verdict = Verdict(code, status, .provider, isRetryable: isRetryable)
    }

    var testDescription: String { message }
  }
}

/// What the rows are made of.
extension WordTable {
  static let issuer: Issuer = {
    do throws(AddressFault) { return try Issuer("https://as.test") } catch { preconditionFailure("\(error)") }
  }()
  static let idToken = ResponseType("id_token") ?? .code

  static func refused(
    _ status: Int, _ challenge: ProviderError? = nil, isUntried: Bool = false
  ) -> ResourceFault {
    guard let fault = ResourceFault(status: status, challenge: challenge, isUntried: isUntried) else {
      preconditionFailure("\(status) is a success")
    }
    return fault
  }

  /// A reason that only an application knows.
  enum ApplicationsOwn: ApplicationFault {
    case reason(String)

    var concernsOthers: Bool { false }
  }
}
