import LoginWays
import Testing

@testable import LoginCore
@testable import Wording

/// What every failure is to a program and to a person.
@Suite("Report")
struct ReportTests {
  @Test(
    "Code, exit status and origin are those of the contract, and the words those of the table",
    arguments: WordTable.rows)
  func words(row: WordTable.Row) {
    let report = Report(row.failure)
    #expect(report.verdict == row.verdict)
    #expect(report.message.source == row.message)
    #expect(report.hint?.source == row.hint)
    #expect(report.json["details"] == row.details.map(JSONValue.object))
  }

  @Test("The object says the same in one order", arguments: WordTable.rows)
  func object(row: WordTable.Row) {
    let report = Report(row.failure)
    let names = ["error", "error_description", "error_uri", "origin", "retryable", "details", "checks"]
    let present = report.json.map(\.name)
    #expect(present == names.filter(present.contains))
    #expect(report.json["error"] == .string(report.verdict.code))
    #expect(report.json["origin"] == .string(report.verdict.origin.rawValue))
    #expect(report.json["retryable"] == .bool(report.verdict.isRetryable))
    #expect(report.json["error_description"]?.string?.isEmpty == false)
  }

  @Test("A text for a person is one line without a full stop", arguments: WordTable.rows)
  func messages(row: WordTable.Row) {
    for text in [row.message, row.hint].compactMap({ $0 }) {
      #expect(!text.isEmpty)
      #expect(!text.hasSuffix("."))
      #expect(!text.unicodeScalars.contains { $0.isControl })
      #expect(text.first?.isUppercase == false)
    }
  }

  @Test("Every text of a fault is shown to the person it is for, or told to the program")
  func namesWhatItIsAbout() {
    let unsaid = HostileWords.failures(saying: "qzx").filter {
      let report = Report($0)
      return !(report.message.source + (report.hint?.source ?? "") + report.json.text).contains("qzx")
    }
    #expect(unsaid == [])
  }

  @Test("What came from outside cannot write on a terminal, and ends")
  func foreignText() {
    let text = "a\u{1B}[2J\r\n\u{202E}\u{9B}\u{2066}b\u{2028}" + String(repeating: "c", count: 10_000)
    for failure in HostileWords.failures(saying: text) {
      let report = Report(failure)
      let name = Comment(rawValue: FaultCases.present(in: failure).sorted().joined(separator: " "))
      for words in [report.message, report.hint].compactMap(\.?.source) {
        let scalars = words.unicodeScalars
        #expect(!scalars.contains { $0.isControl || $0.isBidirectionalControl || $0 == "\u{2028}" }, name)
        #expect(scalars.count < 2_500, name)
      }
      #expect(!report.json.text.unicodeScalars.contains { $0.isControl }, name)
    }
  }

  @Test("What a token says of itself leaves the rest of the line readable")
  func foreignIDToken() {
    let text = String(repeating: "b", count: 10_000)
    let faults: [IDTokenFault] = [
      .otherType(text), .jose(.unsupportedAlgorithm(text)),
      .malformedPayload(JSONFault(reason: .repeatedName(text), line: 1)),
    ]
    for fault in faults {
      #expect(Report(.untrusted(.invalidIDToken(fault))).message.source.utf8.count < 200)
    }
  }

  @Test("The contract's example is written as it stands there")
  func example() {
    let error = ProviderError(
      code: "access_denied", description: "The user or authorization server denied the request.")
    #expect(
      Report(.provider(error)).json.text
        == "{\"error\":\"access_denied\","
        + "\"error_description\":\"The user or authorization server denied the request.\","
        + "\"origin\":\"provider\",\"retryable\":false}")
  }

  @Test("A provider's error is passed on as it came, with its page")
  func providerError() {
    let error = ProviderError(
      code: "x\u{1B}", description: "a\nb.é", uri: "https://h.test/?a=/", page: "https://h.test/error")
    #expect(
      Report(.provider(error)).json.text
        == #"{"error":"x\u001b","error_description":"a\nb.é","error_uri":"https://h.test/?a=/","#
        + #""origin":"provider","retryable":false,"details":{"uri":"https://h.test/error"}}"#)
  }

  @Test("A certificate that one could trust is named for a program")
  func certificate() {
    let fault = NetworkFault.tls(host: "as.test", .certificate([.unknownIssuer]), fingerprint: "AA:BB")
    #expect(Report(.network(fault)).json["details"] == ["host": "as.test", "fingerprint": "AA:BB"])
  }

  @Test("Nothing is missing where nothing is named")
  func noDetails() {
    #expect(Report(.untrusted(.missingToken([]))).json["details"] == nil)
  }

  @Test("A failure is read again as it was told, without the addresses of pages", arguments: WordTable.rows)
  func told(row: WordTable.Row) throws {
    let report = Report(row.failure)
    // Nobody else is told of a defect.
    if report.verdict == .internalError { return }
    let again = Report(.repeated(report.told))
    #expect(again.verdict == report.verdict)
    #expect(again.message == report.message)
    #expect(again.hint == report.hint)
    #expect(again.json["error_uri"] == nil)
    #expect(again.json["details"]?.object?["uri"] == nil)
    #expect(again.json["error_description"] == report.json["error_description"])
  }

  @Test("However long a provider's words are, a file holds what is told of them")
  func toldAtLength() {
    let words = String(repeating: "\u{1}ä", count: 5_000)
    let told = Report(.provider(ProviderError(code: "invalid_scope", description: words))).told
    #expect(told.text.utf8.count * 8 < AttemptLog.maximumDocumentSize)
    let again = Report(.repeated(told)).json["error_description"]?.string
    #expect(again?.hasPrefix("\u{1}ä\u{1}ä") == true && again?.hasSuffix("ä…") == true)
  }

  @Test("What is told with a status that no failure has is a defect", arguments: [-1, 0, 10, 70] as [Int64])
  func status(status: Int64) {
    let told: JSONObject = [
      "status": .number(JSONNumber(status)), "error": ["error": "cancelled", "origin": "user"],
      "message": "m",
    ]
    #expect(Report(.repeated(told)).verdict == .internalError)
  }
}
