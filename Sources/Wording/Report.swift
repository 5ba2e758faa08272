import LoginCore
import LoginWays

/// What a failure comes to for those who hear of it: the contract's verdict, the words for a person, and the JSON for a
/// program. Nothing else makes an exit status of a failure, or a sentence.
package struct Report: Sendable, Equatable {
  package let verdict: Verdict
  /// What happened: lower case, in one line, without a full stop.
  package let message: Sentence
  /// What the person who reads it can do.
  package let hint: Sentence?
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
    (message, hint) = (account.saying.words, account.saying.hint)
    let uri: String? = if case .provider(let error) = failure { error.uri } else { nil }
    let checks: JSONValue? =
      if case .unfit(_, let findings)? = failure.fault(as: RunFault.self) { findings.json } else { nil }
    json = [
      "error": .string(verdict.code),
      "error_description": .string(account.description ?? Self.shown(message.source)),
      "error_uri": uri.map(JSONValue.string), "origin": .string(verdict.origin.rawValue),
      "retryable": .bool(verdict.isRetryable), "details": account.details.map(JSONValue.object),
      "checks": checks,
    ]
  }

  /// Whatever a word has come from: nothing in it writes on a terminal, and it ends.
  static func shown(_ words: String) -> String { words.forDisplay(limit: 2_000) }

  /// What there is to say of one failure.
  struct Account {
    let verdict: Verdict
    let saying: Saying
    /// Somebody else's words, which programs are told in place of ours.
    var description: String?
    var details: JSONObject?
  }
}

/// A failure as one program tells it to others of the same user: what the contract promises of it, and no address of
/// a page, which may hold what was meant for one login alone.
extension Report {
  /// Eight of them have to fit into one file, whatever a provider has to say.
  private static let mostTold = 1_000

  /// The members for a file.
  package var told: JSONObject {
    var json = json
    if var details = json["details"]?.object {
      details["uri"] = nil
      json["details"] = details.isEmpty ? nil : .object(details)
    }
    json["error_uri"] = nil
    if let words = json["error_description"]?.string?.unicodeScalars, words.count > Self.mostTold {
      json["error_description"] = .string(String(String.UnicodeScalarView(words.prefix(Self.mostTold))) + "…")
    }
    return [
      "status": .number(JSONNumber(Int64(verdict.status))), "error": .object(json),
      "message": .string(Self.shown(message.text)), "hint": hint.map { .string(Self.shown($0.text)) },
    ]
  }

  /// Reads what ``told`` wrote.
  private init?(told object: JSONObject) {
    guard case .number(let number) = object["status"], let status = Int32(number.literal),
      (1...9).contains(status), let json = object["error"]?.object, let code = json["error"]?.string,
      let origin = json["origin"]?.string.flatMap(Verdict.Origin.init),
      let message = object["message"]?.string
    else { return nil }
    verdict = Verdict(code, status, origin, isRetryable: json["retryable"]?.bool ?? false)
    self.message = Sentence(verbatim: Self.shown(message))
    hint = object["hint"]?.string.map { Sentence(verbatim: Self.shown($0)) }
    self.json = json
  }
}

extension Failure {
  /// What there is to say of it.
  fileprivate var account: Report.Account {
    switch self {
    case .caller(let fault): .init(verdict: fault.verdict, saying: fault.saying)
    case .user(let fault): .init(verdict: fault.verdict, saying: fault.saying, details: fault.details)
    case .provider(let error):
      .init(
        verdict: .refusal(error.code, isRetryable: error.isTemporary),
        saying: Saying(error.words, hint: error.hint),
        description: error.description ?? error.explanation?.source,
        details: error.page.map { ["uri": .string($0)] })
    case .resource(let fault):
      .init(
        verdict: .refusal(fault.code, fault.isRefusal ? 1 : 5, isRetryable: fault.isPassing),
        saying: Saying(fault.words))
    case .network(let fault): .init(verdict: fault.verdict, saying: fault.saying, details: fault.details)
    case .untrusted(let answer):
      .init(verdict: .untrusted(answer.code), saying: Saying(answer.words), details: answer.details)
    case .store(let fault): .init(verdict: fault.verdict, saying: fault.saying)
    case .foreign(let foreign): (foreign.fault as? any Reportable)?.account ?? .defect("\(foreign.fault)")
    case .repeated: .defect("repeated")
    case .defect(let defect):
      .defect(([defect.place] + (defect.detail.map { [$0] } ?? [])).joined(separator: ": "))
    }
  }
}

extension Report.Account {
  static func defect(_ what: String) -> Report.Account {
    .init(verdict: .internalError, saying: "a defect in tokentry: \(what.forDisplay(limit: 300))")
  }
}

/// A fault of our own programs.
protocol Reportable: ApplicationFault {
  var verdict: Verdict { get }
  var saying: Saying { get }
  /// What a program may want to know of it.
  var details: JSONObject? { get }
}

extension Reportable {
  var details: JSONObject? { nil }

  fileprivate var account: Report.Account { .init(verdict: verdict, saying: saying, details: details) }
}

/// What is said of a fault: what happened and, where something can be done, what that is.
struct Saying: ExpressibleByStringInterpolation {
  let words: Sentence
  let hint: Sentence?

  init(_ words: Sentence, hint: Sentence? = nil) { (self.words, self.hint) = (words, hint) }
  init(stringLiteral text: String) { self.init(Sentence(stringLiteral: text)) }
  init(stringInterpolation parts: Sentence.StringInterpolation) {
    self.init(Sentence(stringInterpolation: parts))
  }
}
