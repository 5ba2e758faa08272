import LoginCore
import LoginWays

/// What a failure comes to for those who hear of it: the contract's verdict, the words for a person, and the JSON for a
/// program. Nothing else makes an exit status of a failure, or a sentence.
package struct Report: Sendable, Equatable {
  package let verdict: Verdict
  /// What happened: lower case, in one line, without a full stop.
  package let message: String
  /// What the person who reads it can do.
  package let hint: String?
  /// The object for standard output.
  package let json: JSONObject

  /// The report of a failure.
  package init(_ failure: Failure) {
    if case .repeated(let told) = failure, let report = Report(told: told) {
      self = report
    } else {
      self.init(failure.account, of: failure)
    }
  }

  private init(_ account: Account, of failure: Failure) {
    verdict = account.verdict
    (message, hint) = (Self.shown(account.message), account.hint.map(Self.shown))
    var json: JSONObject = [
      "error": .string(verdict.code), "error_description": .string(account.description ?? message),
    ]
    if case .provider(let error) = failure { json["error_uri"] = error.uri.map(JSONValue.string) }
    json["origin"] = .string(verdict.origin.rawValue)
    json["retryable"] = .bool(verdict.isRetryable)
    json["details"] = account.details.map(JSONValue.object)
    if case .unfit(_, let findings)? = failure.fault(as: RunFault.self) { json["checks"] = findings.json }
    self.json = json
  }

  /// Whatever a word has come from: nothing in it writes on a terminal, and it ends.
  static func shown(_ words: String) -> String { words.forDisplay(limit: 2_000) }

  /// What there is to say of one failure.
  struct Account {
    let verdict: Verdict
    let message: String
    var hint: String?
    /// Somebody else's words, which programs are told in place of ours.
    var description: String?
    var details: JSONObject?
  }
}

/// A failure as one program tells it to others of the same user: what the contract promises of it, and no address of
/// a page, which may hold what was meant for one login alone.
extension Report {
  /// The members for a file.
  package var told: JSONObject {
    var json = json
    if var details = json["details"]?.object {
      details["uri"] = nil
      json["details"] = details.isEmpty ? nil : .object(details)
    }
    json["error_uri"] = nil
    var object: JSONObject = ["status": .number(JSONNumber(Int64(verdict.status))), "error": .object(json)]
    object["message"] = .string(message)
    object["hint"] = hint.map(JSONValue.string)
    return object
  }

  /// Reads what ``told`` wrote.
  private init?(told object: JSONObject) {
    guard case .number(let number) = object["status"], let status = Int32(number.literal),
      (1...9).contains(status), let json = object["error"]?.object, let code = json["error"]?.string,
      let origin = json["origin"]?.string.flatMap(Verdict.Origin.init),
      let message = object["message"]?.string
    else { return nil }
    verdict = Verdict(code, status, origin, isRetryable: json["retryable"]?.bool ?? false)
    (self.message, hint) = (Self.shown(message), object["hint"]?.string.map(Self.shown))
    self.json = json
  }
}

extension Failure {
  /// What there is to say of it.
  fileprivate var account: Report.Account {
    switch self {
    case .caller(let fault): .init(verdict: fault.verdict, message: fault.words, hint: fault.hint)
    case .user(let fault):
      .init(verdict: fault.verdict, message: fault.words, hint: fault.hint, details: fault.details)
    case .provider(let error):
      .init(
        verdict: .refusal(error.code, isRetryable: error.isPassing), message: error.words,
        description: error.description ?? error.explanation,
        details: error.page.map { ["uri": .string($0)] })
    case .resource(let fault):
      .init(
        verdict: .refusal(fault.code, fault.isRefusal ? 1 : 5, isRetryable: fault.isPassing),
        message: fault.words)
    case .network(let fault):
      .init(verdict: fault.verdict, message: fault.words, hint: fault.hint, details: fault.details)
    case .untrusted(let answer):
      .init(verdict: .untrusted(answer.code), message: answer.words, details: answer.details)
    case .store(let fault): .init(verdict: fault.verdict, message: fault.words, hint: fault.hint)
    case .foreign(let foreign): (foreign.fault as? any Reportable)?.account ?? .defect("\(foreign.fault)")
    case .repeated: .defect("repeated")
    case .defect(let defect):
      .defect(([defect.place] + (defect.detail.map { [$0] } ?? [])).joined(separator: ": "))
    }
  }
}

extension Report.Account {
  static func defect(_ what: String) -> Report.Account {
    .init(verdict: .internalError, message: "a defect in tokentry: \(what.forDisplay(limit: 300))")
  }
}

/// A fault of our own programs.
protocol Reportable: ApplicationFault {
  var verdict: Verdict { get }
  /// What happened.
  var words: String { get }
  /// What can be done.
  var hint: String? { get }
  /// What a program may want to know of it.
  var details: JSONObject? { get }
}

extension Reportable {
  var details: JSONObject? { nil }

  fileprivate var account: Report.Account {
    .init(verdict: verdict, message: words, hint: hint, details: details)
  }
}
