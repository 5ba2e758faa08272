@testable import LoginCore
@testable import LoginWays
@testable import Wording

extension Room {
  /// The words for failures, with texts of strangers in them: which failure in the first byte, and texts in lines.
  static let failures = Room(name: "failures", longest: 512) { bytes in
    guard let kind = bytes.first else { return }
    var input = Input(Array(bytes.dropFirst()))
    let (a, b) = (input.text(), input.text())
    let rest = input.remainder.text
    let failure = kinds[Int(kind) % kinds.count](a, b, rest)
    let report = Report(failure)
    check(report)
    // What one program tells another is told as it was.
    let again = Report(.repeated(report.told))
    demand(
      again.verdict == report.verdict || !(1...9).contains(report.verdict.status), "a verdict is handed on")
    if Turn.isOwn { check(again) }
  }

  /// Every kind of failure that has a text of somebody else's in it.
  private static let kinds: [@Sendable (String, String, String) -> Failure] = [
    { .provider(ProviderError(code: $0, description: $1, uri: $2)) },
    { .provider(ProviderError(code: $0, description: $1, page: $2, remark: .noSecret)) },
    { a, _, _ in .network(.unknownHost(a)) },
    { a, b, _ in .network(.connection(host: a, .system(b))) },
    { a, b, _ in .network(.connection(host: a, .proxy(b, .proxyRefused(status: 5)))) },
    { .network(.tls(host: $0, .system($1), fingerprint: $2)) },
    { a, _, _ in .network(.badResponse(.notText(a, from: .token))) },
    { a, _, _ in .network(.badResponse(.library(a))) },
    { a, _, _ in .network(.badResponse(.clientAuthentication(a))) },
    { a, b, _ in .network(.badResponse(.resourceMember(a, at: b))) },
    { a, _, _ in .untrusted(.duplicateParameter(a)) },
    { a, b, _ in .untrusted(.missingToken([a, b])) },
    { a, _, _ in .untrusted(.unsupportedTokenType(a)) },
    { a, b, _ in .untrusted(.metadata(.otherResource(asked: a, named: b))) },
    { a, _, _ in .untrusted(.invalidIDToken(.otherType(a))) },
    { a, _, _ in .untrusted(.invalidIDToken(.jose(.unsupportedAlgorithm(a)))) },
    { a, _, _ in .untrusted(.invalidIDToken(.algorithmNotAllowed(a))) },
    { a, b, _ in .untrusted(.invalidIDToken(.missing([a, b]))) },
    { a, _, _ in .caller(.repeatedParameter(a)) },
    { a, _, _ in .caller(.noMember(a)) },
    { a, _, _ in .caller(.header(a, .reserved)) },
    { a, _, _ in .caller(.method(a)) },
    { a, b, _ in .caller(.noVariable(a, meaning: b)) },
    { a, b, _ in .caller(.unknownVariable(a, nearest: b)) },
    { a, _, _ in .caller(.originNotAllowed(a)) },
    { a, _, _ in .caller(.noAuthorizationServer(resource: a)) },
    { a, _, _ in .caller(.proofAlgorithm(a)) },
    { .caller(.unfitVariables(.choice($0, of: [$1, $2]))) },
    { a, _, _ in .caller(.unfitVariables(.reservedParameter(a))) },
    { a, b, _ in .store(.unknownAccount(a, nearest: b)) },
    { a, _, _ in .store(.unknownClient(of: a)) },
    { a, _, _ in .store(.unavailable(.keyring(a))) },
    { a, _, _ in .store(.unavailable(.file(FileFault(path: a, reason: .notRegular)))) },
    { a, _, _ in .user(.loginRequired(page: a)) },
    { a, _, _ in .user(.signInForbidden(account: a)) },
    { a, _, _ in .user(.alreadyInProgress(account: a)) },
    { a, b, _ in .commandLine(.unknownCommand(a, nearest: b)) },
    { a, b, _ in .commandLine(.unexpectedWord(a, of: b)) },
    { a, b, _ in .commandLine(.wants(a, .pair(b))) },
    { .commandLine(.choice($0, of: [$1], nearest: $2)) },
    { a, b, _ in .commandLine(.address(a, text: b, .notHTTPS)) },
    { a, b, _ in .commandLine(.unknownMember(a, nearest: b)) },
    { .commandLine(.file($0, .unreadable(path: $1, $2))) },
    { a, b, _ in .commandLine(.lacks(command: a, .options([b]))) },
    { .helper(.severalAccounts([$0, $1], $2)) },
    { a, _, _ in .helper(.noAccount(a)) },
    { a, b, _ in .helper(.notHere(caller: a, b)) },
    { a, _, _ in .defect(.here(a)) },
    { _, _, c in .repeated((try? JSONReader.read(c.bytes))?.object ?? [:]) },
  ]
}
