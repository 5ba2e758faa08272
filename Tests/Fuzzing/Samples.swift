@testable import Language
@testable import LoginCore
@testable import tokentry

/// Values with which several checks begin.
enum Samples {
  static let now = require(UTCDate(secondsSince1970: 1_700_000_000), "the sample is a date")

  /// Reads an answer: status and media type in the first line, such as `200 application/json`, and the body in the rest.
  static func response(_ input: inout Input) -> HTTPResponse {
    let (status, type) = input.text().splitOnce(at: " ")
    let headers: ParameterList = type.map { ["Content-Type": $0] } ?? []
    return HTTPResponse(status: Int(status) ?? 200, headers: headers, body: input.remainder)
  }

  /// A request for a token at a provider that follows the standards.
  static let login: LoginRequest = {
    let issuer = "https://as.example"
    var provider = Provider()
    provider.issuer = try? Issuer(issuer)
    provider.endpoints[.authorization] = try? Endpoint("\(issuer)/authorize")
    provider.endpoints[.token] = try? Endpoint("\(issuer)/token")
    provider.endpoints[.registration] = try? Endpoint("\(issuer)/register")
    let redirect = require(try? RedirectURI("https://app.example/cb"), "the sample is an address")
    return LoginRequest(provider: provider, clientID: "client", redirectURI: redirect)
  }()

  static let name = require(AccountName("a"), "a letter is a name")
}

/// Checks that take long and have the same result for many inputs. They are made for one input in eight, and always for
/// the same ones.
enum SlowChecks {
  nonisolated(unsafe) static var areDue = true  // libFuzzer has one thread

  static func choose(by bytes: [UInt8]) { areDue = PlainCryptography.mixed(bytes, 1)[0] & 7 == 0 }
}

/// Checks the texts of a failure: sentences in one line, and a report that other programs can read.
func checkText(of failure: Failure) {
  guard SlowChecks.areDue else { return }
  for message in [failure.message, failure.hint?.text].compactMap(\.self) {
    for text in [message.description, message.text] {
      require(isShowable(text), "a sentence has no control characters: \(text)")
      require(text.unicodeScalars.count < 10_000, "a sentence is short: \(text)")
    }
  }
  let report = failure.report
  checkJSON(report)
  let again = require(Failure(report: report), "a report can be read back: \(report.text)")
  require(
    again.code == failure.code && again.origin == failure.origin && again.isRetryable == failure.isRetryable,
    "a report keeps the code: \(report.text)")
  require(again.report["message"] == report["message"], "a report keeps the sentence: \(report.text)")
}

/// Checks the report of a failure, with the hints of the command line.
func checkReport(of failure: Failure) {
  let report = Report(failure)
  checkText(of: report.failure)
  if SlowChecks.areDue { checkJSON(report.json) }
  require((1...70).contains(report.status), "a failure has an exit status, not \(report.status)")
}

/// Checks that an object is written as JSON that can be read back.
func checkJSON(_ object: JSONObject) {
  let read = require(try? JSONReader.read(object.text.bytes), "the text is JSON: \(object.text)")
  require(read == .object(object), "the JSON is read back unchanged: \(object.text)")
}

/// True for a text in one line, without characters that move a cursor or reorder text.
func isShowable(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy { scalar in
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}
