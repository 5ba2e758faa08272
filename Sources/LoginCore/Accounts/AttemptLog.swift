/// The attempts to get a token for one account, as the programs of one user share them: whether an attempt is under way,
/// how the last ones ended, and how often in a row the user has refused to sign in, an API the token of a login, or the
/// provider a refresh token. It holds no secret.
///
/// The numbers of attempts keep a program from taking the result of an attempt that was over before it came.
package struct AttemptLog: Sendable, Equatable {
  /// A finished attempt.
  struct Ended: Sendable, Equatable {
    private(set) var number: Int64
    private(set) var outcome: AttemptOutcome
  }

  /// The number of refusals in a row, and the time of the last one.
  struct Refusals: Sendable, Equatable {
    private(set) var times: Int
    private(set) var last: UTCDate

    /// Returns the refusals with one more.
    static func next(after refusals: Refusals?, at now: UTCDate) -> Refusals {
      Refusals(times: min((refusals?.times ?? 0) + 1, AttemptLog.pauses.count), last: now)
    }

    /// Returns the seconds that are left until the user may be asked again, or nil if that is now.
    func pause(at now: UTCDate) -> Int64? {
      let passed = now.seconds(since: last)
      let pause = AttemptLog.pauses[times - 1]
      // A refusal in the future means that the clock was set back.
      return passed >= 0 && passed < pause ? pause - passed : nil
    }
  }

  /// The last refresh of an account, if the provider refused it or asked for a pause.
  struct RefusedRefresh: Sendable, Equatable {
    /// The digest of the refresh token. Another token is worth a request at once.
    private(set) var token: String
    /// The number of refusals in a row, and the time of the last one.
    private(set) var times: Int
    private(set) var last: UTCDate
    /// The seconds without another request.
    private(set) var pause: Int64
    /// The failure of the refresh. nil if only the user can help.
    private(set) var report: JSONObject?

    /// The seconds after the first, the second and later refusals.
    static let pauses: [Int64] = [60, 300, 1_200, 3_600]

    /// Returns the seconds that are left for this token, or nil if it may be sent now.
    func pause(for token: String, at now: UTCDate) -> Int64? {
      let passed = now.seconds(since: last)
      // A refusal in the future means that the clock was set back.
      return token == self.token && passed >= 0 && passed < pause ? pause - passed : nil
    }
  }

  /// The reason for a login whose token no API has accepted yet.
  enum Trial: String, CaseIterable, Sendable {
    /// A program needed a token.
    case needed
    /// An API refused a token or demanded more of it.
    case demanded
  }

  /// The number of the newest attempt; zero before the first.
  var newest: Int64 = 0
  /// True until the newest attempt ends, which it never does if its program was killed.
  var isUnderWay = false
  /// The last finished attempts, oldest first.
  var ended: [Ended] = []
  /// The logins that the user has refused.
  var refusals: Refusals?
  /// The logins whose tokens an API has refused since it last accepted one.
  var rejections: Refusals?
  /// The last login that a program began, until an API accepts or refuses its token.
  var trial: Trial?
  /// The refresh that is not to be repeated for a while.
  var refusedRefresh: RefusedRefresh?

  /// Enough for a program that was not looking while others came and went.
  static let maximumEnded = 8
  /// The seconds without another question after the first, the second and later refusals.
  static let pauses: [Int64] = [5, 30, 120, 600]

  /// A log without attempts.
  package init() {}

  /// The first attempt whose result concerns a program that has just found another one at work.
  package var awaited: Int64 { isUnderWay ? newest : newest + 1 }

  /// Returns the result of the newest finished attempt, if its number is at least `awaited`.
  package func outcome(since awaited: Int64) -> AttemptOutcome? {
    ended.last.flatMap { $0.number >= awaited ? $0.outcome : nil }
  }

  /// Starts the next attempt.
  package mutating func begin() {
    newest += 1
    isUnderWay = true
  }

  mutating func end(_ outcome: AttemptOutcome) {
    isUnderWay = false
    ended = Array(ended.suffix(Self.maximumEnded - 1))
    ended.append(Ended(number: newest, outcome: outcome))
  }

  /// Ends an attempt without a result for other programs.
  mutating func withdraw() { isUnderWay = false }

  /// Notes that the user refused to sign in.
  mutating func refuse(at now: UTCDate) { refusals = .next(after: refusals, at: now) }

  /// Notes that the user signed in, or asked to.
  mutating func forgetRefusals() { (refusals, trial, refusedRefresh) = (nil, nil, nil) }

  /// Returns the seconds that are left until the user may be asked again, or nil if that is now.
  func pause(at now: UTCDate) -> Int64? { refusals?.pause(at: now) }
}

/// The refreshes that a provider refuses. A provider that counts failures could lock the client out.
extension AttemptLog {
  /// Notes that the provider refused to refresh this token, and for how many seconds it wants no request. `report` is the
  /// failure for callers who ask meanwhile; without it, the user has to sign in.
  mutating func refuseRefresh(
    of token: String, retryAfter seconds: Int64?, report: JSONObject?, at now: UTCDate
  ) {
    let before = refusedRefresh.flatMap { $0.token == token ? $0.times : nil } ?? 0
    let times = min(before + 1, RefusedRefresh.pauses.count)
    let own = report == nil ? RefusedRefresh.pauses[times - 1] : 0
    let pause = max(own, min(seconds ?? 0, RefusedRefresh.pauses.last ?? 0))
    refusedRefresh = RefusedRefresh(token: token, times: times, last: now, pause: pause, report: report)
  }
}

/// The logins that an API causes. An API that is content with no token could ask the user again and again.
extension AttemptLog {
  /// Notes a login that a program began, because an API demanded it or for another reason.
  mutating func beginTrial(isDemanded: Bool) {
    trial = isDemanded || rejections != nil ? .demanded : .needed
  }

  /// Notes that an API refused the account's token. A demand for more is a refusal only after a login for an API: the first
  /// login could not know of it. A token that did for an API before was good.
  mutating func reject(isDemand: Bool, at now: UTCDate) {
    guard let trial, !isDemand || trial == .demanded else { return }
    rejections = .next(after: rejections, at: now)
    self.trial = nil
  }

  /// True if it matters that an API accepts the account's token.
  var awaitsAcceptance: Bool { trial != nil || rejections != nil }

  /// Notes that an API accepted the account's token.
  mutating func accept() { (trial, rejections) = (nil, nil) }
}

/// The document through which programs share the log.
extension AttemptLog: MemberCoded {
  private static let documentVersion: Int64 = 1
  /// The limit for the size of a document, in bytes.
  package static let maximumDocumentSize = 64 * 1_024

  /// The log in one line of JSON.
  package var document: [UInt8] { Array(json.text.utf8) }

  /// Reads a ``document``. Returns nil for anything else, which counts as an empty log.
  package init?(document: [UInt8]) {
    guard let object = try? JSONReader.read(document, maximumSize: Self.maximumDocumentSize).object else {
      return nil
    }
    self.init(lenient: object)
    ended = ended.suffix(Self.maximumEnded)
  }

  package mutating func code(_ coder: inout MemberCoder) {
    var version = Self.documentVersion
    coder.required("version", &version, .number(in: Self.documentVersion...Self.documentVersion))
    coder.required("newest", &newest, .number(in: 0...(.max - 1)))
    coder.required("under_way", &isUnderWay, .flag)
    coder.required("ended", &ended, .known(.object))
    coder.value("refused", &refusals, .object)
    coder.value("rejected", &rejections, .object)
    coder.value("trial", &trial, .choice())
    coder.value("refused_refresh", &refusedRefresh, .object)
  }
}

extension AttemptLog.Ended: MemberCoded {
  init() { self.init(number: 0, outcome: .needsLogin) }

  mutating func code(_ coder: inout MemberCoder) {
    coder.required("attempt", &number, .number(in: .min ... .max))
    var (word, report): (String?, JSONObject) =
      switch outcome {
      case .token: ("token", [:])
      case .needsLogin: ("login_required", [:])
      case .failed(let report): (nil, report)
      }
    coder.checked("outcome", &word, .oneOf(["token", "login_required"]))
    if word == nil { coder.required("failure", &report, .members) }
    outcome = word == nil ? .failed(report) : word == "token" ? .token : .needsLogin
  }
}

extension AttemptLog.Refusals: MemberCoded {
  init() { self.init(times: 1, last: .epoch) }

  mutating func code(_ coder: inout MemberCoder) {
    coder.required("times", &times, .number(in: 1...AttemptLog.pauses.count))
    coder.required("last", &last, .date)
  }
}

extension AttemptLog.RefusedRefresh: MemberCoded {
  init() { self.init(token: "", times: 1, last: .epoch, pause: 0, report: nil) }

  mutating func code(_ coder: inout MemberCoder) {
    coder.required("token", &token, .text)
    coder.required("times", &times, .number(in: 1...Self.pauses.count))
    coder.required("last", &last, .date)
    coder.required("pause", &pause, .number(in: .min ... .max))
    coder.value("failure", &report, .members)
  }
}

extension MemberValue {
  /// An array, without the elements that are wrong or come from a later version.
  fileprivate static func known<Element>(_ element: MemberValue<Element>) -> Self where Value == [Element] {
    Self(.list(element.kind), of: \.array, { .array($0.map(element.write)) }) { values, place in
      values.compactMap { try? element.read($0, place) }
    }
  }
}

/// The result of an attempt to get a token, for the programs that waited for it.
package enum AttemptOutcome: Sendable, Equatable {
  /// A new token is in the store.
  case token
  /// The user must sign in, and this program could not ask.
  case needsLogin
  /// Every waiting program would fail with this failure.
  case failed(JSONObject)

  /// Returns nil for a failure of this program alone, such as its own deadline or a missing display.
  init?(_ failure: Failure, report: (Failure) -> JSONObject) {
    if failure.kind == .signInForbidden {
      self = .needsLogin
    } else if failure.code.isProvidersOwn || Self.sharedCodes.contains(failure.code) {
      self = .failed(report(failure))
    } else {
      return nil
    }
  }

  private static let sharedCodes: [Failure.Code] = [
    .cancelled, .loginRequired, .network, .tls, .badResponse, .redirectMismatch, .windowFailed,
    .stateMismatch, .stateMissing, .issuerMismatch, .untrustedMetadata, .duplicateParameter,
    .malformedCallback, .missingToken, .unsupportedTokenType, .invalidIDToken, .nonceMismatch,
    .subjectMismatch, .otherUser,
  ]
}

extension Failure {
  /// The limit for each text of a report, in characters: eight reports must fit into one log.
  private static let maximumReportedText = 1_000

  /// The failure for other programs of the same user: the members `error`, which is the contract's error object,
  /// `message` and `hint`. It leaves out the addresses of pages, which may hold values that are for one login only, a
  /// refresh token, the `kind`, which is for the code where the failure happens, and hints that only a program can word.
  package var report: JSONObject {
    var text = (providerDescription ?? message.description).unicodeScalars
    if text.count > Self.maximumReportedText {
      text = String.UnicodeScalarView(text.prefix(Self.maximumReportedText))
      text.append("…")
    }
    var details = details
    (details["uri"], details["refresh_token"]) = (nil, nil)
    let error: JSONObject = [
      "error": .string(code.description), "error_description": .string(String(text)),
      "origin": .string(origin.rawValue), "retryable": .bool(isRetryable),
      "details": details.isEmpty ? nil : .object(details),
    ]
    return [
      "error": .object(error), "own": code.isProvidersOwn ? true : nil,
      "message": .string(message.description.forDisplay(limit: Self.maximumReportedText)),
      "hint": (hint?.text).map { .string($0.description.forDisplay(limit: Self.maximumReportedText)) },
    ]
  }

  /// Reads a ``report``. Returns nil for anything else.
  package init?(report: JSONObject) {
    guard let error = report["error"]?.object, let word = error["error"]?.string,
      let origin = error["origin"]?.string.flatMap(Origin.init), let message = report["message"]?.string
    else { return nil }
    self.init(
      report["own"] == true ? .provider(word) : Code(word, origin), Message(verbatim: message),
      hint: (report["hint"]?.string).map { .text(Message(verbatim: $0)) }, origin: origin,
      details: error["details"]?.object ?? [:], isRetryable: error["retryable"]?.bool ?? false,
      providerDescription: error["error_description"]?.string)
  }
}
