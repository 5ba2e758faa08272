import LoginWays
import Wording

@testable import LoginCore

/// Failures in which every text is what somebody outside wants to be shown.
enum HostileWords {
  static func failures(saying text: String) -> [Failure] {
    core(text) + programs(text) + [.repeated(told(text))]
  }

  /// What a file says that another program should have written.
  private static func told(_ text: String) -> JSONObject {
    [
      "status": 3, "error": ["error": .string(text), "origin": "user"], "message": .string(text),
      "hint": .string(text),
    ]
  }

  private static func core(_ text: String) -> [Failure] {
    [
      .caller(.repeatedParameter(text)),
      .caller(.proofAlgorithm(text)),
      .caller(.noMember(text)),
      .caller(.method(text)),
      .caller(.header(text, .reserved)),
      .caller(.header(text, .name)),
      .caller(.header(text, .controlCharacters)),
      .caller(.originNotAllowed(text)),
      .caller(.noVariable(text, meaning: text)),
      .caller(.unknownVariable(text, nearest: text)),
      .caller(.unfitVariables(.template(member: text, .value(of: text, .hostPart)))),
      .user(.loginRequired(page: text)),
      .user(.alreadyInProgress(account: text)),
      .user(.signInForbidden(account: text)),
      .user(.signInPaused(account: text, seconds: 90)),
      .provider(ProviderError(code: text, uri: text)),
      .provider(ProviderError(code: text, description: text, page: text)),
      .resource(WordTable.refused(401, ProviderError(code: text, description: text))),
      .resource(WordTable.refused(401, ProviderError(code: text), isUntried: true)),
      .network(.unknownHost(text)),
      .network(.connection(host: text, .system(text))),
      .network(.connection(host: text, .proxy(text, .refused))),
      .network(.timeout(host: text, seconds: 30)),
      .network(.tls(host: text, .notThePinned, fingerprint: text)),
      .network(.tls(host: text, .system(text), fingerprint: nil)),
      .network(.tooLarge(host: text, limit: 1_000)),
      .network(.badResponse(.notText(text, from: .token))),
      .network(.badResponse(.missing(text, from: .deviceAuthorization))),
      .network(.badResponse(.unusable(text, from: .introspection))),
      .network(.badResponse(.address(text, .notHTTPS, from: .registration))),
      .network(.badResponse(.clientAuthentication(text))),
      .network(.badResponse(.library(text))),
      .untrusted(.duplicateParameter(text)),
      .untrusted(.malformedCallback(.missing([text]))),
      .untrusted(.malformedCallback(.notText(text))),
      .untrusted(.missingToken([text])),
      .untrusted(.unsupportedTokenType(text)),
      .untrusted(.invalidIDToken(.jose(.unsupportedAlgorithm(text)))),
      .untrusted(.invalidIDToken(.algorithmNotAllowed(text))),
      .untrusted(.invalidIDToken(.otherType(text))),
      .untrusted(.invalidIDToken(.missing([text]))),
      .untrusted(.invalidIDToken(.malformedClaim(text))),
      .untrusted(.invalidIDToken(.otherLogin(text))),
      .store(.unavailable(.keyring(text))),
      .store(.unavailable(.file(FileFault(path: text, reason: .symbolicLink)))),
      .store(.unavailable(.file(FileFault(path: text, reason: .open(isFolder: true))))),
      .store(.unknownAccount(text, nearest: text)),
      .store(.unknownAccount(text)),
      .store(.unreadable(account: text, .member(text))),
      .store(.unknownClient(of: text)),
      .store(.unreadableClient(of: text, .unknownVersion)),
      .defect(Defect(place: text, detail: text)),
      .application(WordTable.ApplicationsOwn.reason(text)),
    ]
  }

  private static func programs(_ text: String) -> [Failure] {
    [
      .configuration(.preset(path: text, PresetFault(line: 3, reason: .unknownMember(text, nearest: text)))),
      .configuration(
        .preset(path: text, PresetFault(line: 3, reason: .kind(member: text, wanted: .string, found: .array)))
      ),
      .configuration(.preset(path: text, PresetFault(line: 3, reason: .choice(text, of: [text])))),
      .configuration(.preset(path: text, PresetFault(line: 3, reason: .responseType(text)))),
      .configuration(.preset(path: text, PresetFault(line: 3, reason: .reservedParameter(text)))),
      .configuration(.preset(path: text, PresetFault(line: 3, reason: .defaultWithoutVariable(text)))),
      .configuration(.preset(path: text, PresetFault(line: 3, reason: .header(text, .reserved)))),
      .configuration(
        .preset(path: text, PresetFault(line: 3, reason: .template(member: text, .unknownVariable(text))))),
      .configuration(
        .preset(path: text, PresetFault(line: 3, reason: .template(member: text, .value(of: text, .text))))),
      .configuration(
        .preset(
          path: text, PresetFault(line: 3, reason: .template(member: text, .value(of: text, .hostPart))))),
      .configuration(
        .preset(path: text, PresetFault(line: 3, reason: .template(member: text, .address(text, .notHTTPS))))),
      .way(.obstacle(.browserFailed(command: text))),
      .way(.obstacle(.notWritable(path: text))),
      .way(.obstacle(.unreachable(text))),
      .way(.window(.notFound([text]))),
      .way(.window(.cannotStart(path: text, text))),
      .way(.window(.reported(text))),
      .way(.noSandbox(text)),
      .application(PageRefusal.address(text, redirectURI: text)),
      .application(PageRefusal.password(host: text)),
      .application(PageRefusal.download(host: text, type: text)),
      .application(PageRefusal.nothing(host: text, status: 204)),
      .application(PageRefusal.failed(host: text, status: 503)),
      .application(HeadlessFault.address(text, .notHTTPS)),
      .application(HeadlessFault.list(text)),
      .commandLine(.unknownCommand(text, nearest: text)),
      .commandLine(.unknownOption(text, nearest: text)),
      .commandLine(.secretOption(text)),
      .commandLine(.unexpectedWord(text, of: text)),
      .commandLine(.takesNoValue(text)),
      .commandLine(.needsValue(text)),
      .commandLine(.notOf(text, command: text)),
      .commandLine(.belongs(text, to: text)),
      .commandLine(.givenTwice(text)),
      .commandLine(.nameGivenTwice(text, name: text)),
      .commandLine(.wants(text, .cleanText)),
      .commandLine(.wants(text, .pair(text))),
      .commandLine(.wants(text, .sessionName)),
      .commandLine(.wants(text, .oneCertificate(found: 0))),
      .commandLine(.choice(text, of: [text], nearest: text)),
      .commandLine(.noProgram(text, name: text)),
      .commandLine(.address(text, text: text, .notAbsolute)),
      .commandLine(.address(text, text: text, .forbiddenScheme(text))),
      .commandLine(.reservedParameter(text, option: text)),
      .commandLine(.reservedParameter(text, option: nil)),
      .commandLine(.file(text, .unusable(FileFault(path: text, reason: .open(isFolder: false))))),
      .commandLine(.file(text, .unreadable(path: text, text))),
      .commandLine(.file(text, .tooLarge(path: text, limit: 1_000))),
      .commandLine(.file(text, .notOneLine(path: text))),
      .commandLine(.file(text, .standardInput)),
      .commandLine(.file(text, .noToken)),
      .commandLine(.lacks(command: text, .options([text]))),
      .commandLine(.lacks(command: text, .address)),
      .commandLine(.lacks(command: text, .accountOrSession)),
      .commandLine(.lacks(command: text, .gitOperation)),
      .commandLine(.document(JSONFault(reason: .repeatedName(text), line: 11))),
      .commandLine(.unknownMember(text, nearest: text)),
      .configuration(.contradiction(text, text)),
      .configuration(.standardInputTwice(text, text)),
      .configuration(.testsOnly(text)),
      .configuration(.notWith(text, .code)),
      .configuration(.notWith(text, .nobody)),
      .configuration(.outputWithoutToken(text, WordTable.idToken)),
      .configuration(.outputWithoutUser(text)),
      .configuration(.outputOfBoundToken(text)),
      .configuration(.noAccountForGit(text)),
      .configuration(.variableWithoutProvider(text)),
      .configuration(.unknownProvider(text, nearest: text)),
      .configuration(.preset(path: text, PresetFault(line: 3, reason: .variableName))),
      .configuration(.presetFile(FileFault(path: text, reason: .open(isFolder: false)))),
      .configuration(.session(.file(FileFault(path: text, reason: .open(isFolder: true))))),
      .configuration(.session(.removedMeanwhile(text))),
      .configuration(.session(.stays(FileFault(path: text, reason: .system(16))))),
      .way(.displayOfOther(user: text, command: text)),
      .helper(.unknownHelper(text, nearest: text)),
      .helper(.noAccount(text)),
      .helper(.severalAccounts([text], text)),
      .helper(.otherDestination(account: text, text)),
      .helper(.malformed(caller: text)),
      .helper(.notHere(caller: text, text)),
      .run(.signal(text)),
      .run(.sessionInUse(text)),
      .run(.missingLibrary(text)),
    ]
  }
}
