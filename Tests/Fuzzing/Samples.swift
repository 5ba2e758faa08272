@testable import LoginCore
@testable import Wording

/// What several rooms begin with.
enum Samples {
  static let now = demand(UTCDate(secondsSince1970: 1_700_000_000), "the sample is a date")

  /// An answer: status and media type in the first line, such as `200 application/json`, and a body in the rest.
  static func response(_ input: inout Input) -> HTTPResponse {
    let (status, type) = input.text().splitOnce(at: " ")
    let headers = type.map { [Parameter("Content-Type", $0)] } ?? []
    return HTTPResponse(status: Int(status) ?? 200, headers: headers, body: input.remainder)
  }

  /// A request for a token at a provider that keeps to the standards.
  static let login: LoginRequest = {
    let issuer = "https://as.example"
    var provider = Provider()
    provider.issuer = try? Issuer(issuer)
    provider.endpoints[.authorization] = try? Endpoint("\(issuer)/authorize")
    provider.endpoints[.token] = try? Endpoint("\(issuer)/token")
    provider.endpoints[.registration] = try? Endpoint("\(issuer)/register")
    let redirect = demand(try? RedirectURI("https://app.example/cb"), "the sample is an address")
    return LoginRequest(provider: provider, clientID: "client", redirectURI: redirect)
  }()

  static let name = demand(AccountName("a"), "a letter is a name")
}

/// Which inputs have a turn at what takes long and is the same for many of them: one of eight, and always the same ones.
enum Turn {
  nonisolated(unsafe) static var isOwn = true  // libFuzzer has one thread

  static func begin(_ bytes: [UInt8]) { isOwn = PlainCryptography.mixed(bytes, 1)[0] & 7 == 0 }
}

/// What is said of a failure: a text of one line for people, and JSON that can be read.
func checkWords(of failure: Failure) {
  if Turn.isOwn { check(Report(failure)) }
}

func check(_ report: Report) {
  for text in [report.message, report.hint].compactMap(\.self).flatMap({ [$0.source, $0.text] }) {
    demand(isShowable(text), "nothing in it writes on a terminal: \(text)")
    demand(text.unicodeScalars.count < 10_000, "a sentence ends: \(text)")
  }
  let json = demand(
    try? JSONReader.read(report.json.text.bytes), "what a program is told is JSON: \(report.json.text)")
  demand(json == .object(report.json), "what a program is told is read as it is")
  demand((1...70).contains(report.verdict.status), "a failure has a status of its own")
}

/// Whether a text is one line without anything that moves a cursor or turns text around.
func isShowable(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy { scalar in
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}
