import GLibSupport
import Glibc
import Language
import LoginCore
import Platform
import SignIn
import SoupNetwork

struct APIWishes: WishGroup {
  var method: String?
  var data: Payload.Source?
  /// The servers that may have the token although the account is not meant for them.
  var allowed: [Origin] = []

  static let rows = under(
    .api,
    [
      text(
        \.method, "method", .text("METHOD"), "GET, or POST with --data, if not given", letter: "X"),
      row(
        "data", .data("TEXT|@FILE|@-"), "the body: a text, or a file", letter: "d"
      ) { group, given in group.data = Payload.Source(given.text) },
      values(
        \.allowed, "allow-origin", .texts("ORIGIN"), "a server that may have the token, too"
      ) { given throws(Failure) in try given.option.parse(given.text, as: Origin.init) },
    ])
}

/// `tokentry request`: sends a request to an API with the token of an account, by default of the account that is meant
/// for the address. The body of the answer goes to standard output as it arrives, whatever its status.
final class RequestCommand: Action {
  private let shared: Composition
  private let tokens: any TokenSource
  private let wish: TokenWish
  private let request: ResourceRequest
  private let data: Payload.Source?
  private let patience: Int

  static let options =
    Command.using + APIWishes.options + RequestWishes.options("header") + Command.asking

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    self.shared = shared
    guard let address = wishes.operand else { throw .lacks(.request, "the address of the request") }
    tokens = shared.tokens(try TokenTerms(wishes, shared))
    var wish = TokenWish(
      try wishes.accountName(shared.cryptography), TokenWish.Address(url: address))
    wish.allowed = wishes[APIWishes.self].allowed
    self.wish = wish
    data = wishes[APIWishes.self].data
    request = try Self.request(to: address, wishes)
    patience = wishes.asking.patience
  }

  private static func request(to address: String, _ wishes: Wishes) throws(Failure) -> ResourceRequest {
    let endpoint = try Endpoint.given(address)
    let (api, headers) = (wishes[APIWishes.self], wishes.request.headers)
    let hasData = api.data != nil
    var request = try ResourceRequest(
      api.method ?? (hasData ? "POST" : "GET"), endpoint, headers: ParameterList(headers))
    if !request.has(header: "Accept") { request = request.adding(Parameter("Accept", "*/*")) }
    if hasData, !request.has(header: "Content-Type") {
      // The same type as with curl's option of this name.
      request = request.adding(Parameter("Content-Type", "application/x-www-form-urlencoded"))
    }
    return request
  }

  func text() async throws(Failure) -> String {
    let payload = try data.map { source throws(Failure) in try Payload(source) }
    defer { payload?.close() }
    let (answer, granted) = try await answer(payload)
    let head = answer.head
    if ![401, 403].contains(head.status) { try await tokens.noteAcceptance(of: granted.account) }
    try await handOver(answer)
    let isUntried = (Remedy.after(head) != nil || head.asksForNonce) && payload?.rewind() == false
    if let failure = Failure.resource(head, isUntried: isUntried) { throw failure }
    return ""
  }

  @GLibActor
  private func answer(_ payload: Payload?) async throws(Failure) -> (any ResourceAnswer, GrantedToken) {
    var exchange = ResourceExchange(
      request, payload?.body, isLong: payload?.isFile == true, through: shared.host, patience: patience
    ) { payload?.rewind() ?? true }
    let granted = try await tokens.token(wish)
    let wish = wish.naming(granted.account)
    // The exchange may take as long as bytes keep moving.
    shared.run.pauseDeadline()
    return try await exchange.answer(with: granted, \.token, signing: tokens.signing) {
      token, _ async throws(Failure) in
      try await tokens.reject(token, for: wish, isByAPI: true)
    } renew: { remedy, refused async throws(Failure) in
      if let reason = Self.reason(for: remedy) { shared.messages.info(reason) }
      shared.run.restartDeadline()
      defer { shared.run.pauseDeadline() }
      do throws(Failure) {
        return try await tokens.token(insteadOf: refused, by: remedy, for: wish)
      } catch {
        // The server's own answer is more useful than a message that the user may not be asked.
        guard case .stepUp = remedy, error.kind == .signInForbidden else { throw error }
        return nil
      }
    }
  }

  /// The reason for another token. The engine tells of an API that has moved.
  private static func reason(for remedy: Remedy) -> Message? {
    switch remedy {
    case .stepUp(.scope(let scope)):
      "the server wants a token with the scope \(scope, upTo: 300), so the user is asked again"
    case .stepUp(.authentication): "the server wants the user to sign in again, or in another way"
    case .move: nil
    case .refresh: "the server refused the token; trying again with a new one"
    }
  }

  @GLibActor
  private func handOver(_ answer: any ResourceAnswer) async throws(Failure) {
    let output = StreamedOutput()
    while case let bytes = try await answer.next(), !bytes.isEmpty {
      shared.interruption.isAnswering = true
      try await output.write(bytes)
    }
    try output.finish()
  }
}

/// The body of a request, from `--data`.
struct Payload {
  let body: RequestBody
  private let start: off_t
  private let isOurs: Bool

  enum Source: Sendable {
    case text(String)
    case file(InputFile)

    /// Reads a text, or `@` and the path of a file, or `@-` for standard input.
    init(_ text: String) {
      let isFile = text.utf8.first == UInt8(ascii: "@")
      self = isFile ? .file(InputFile(APIWishes.option("data"), text.withoutFirstByte)) : .text(text)
    }
  }

  init(_ source: Source) throws(Failure) {
    let file: InputFile
    switch source {
    case .file(let named): file = named
    case .text(let text):
      (body, start, isOurs) = (.bytes(Array(text.utf8)), 0, false)
      return
    }
    let descriptor = try file.open()
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      if !file.isStandardInput { Glibc.close(descriptor) }
      throw .file(file.flag, FileError(file.path, systemCode: EISDIR))
    }
    body = .descriptor(descriptor)
    start = lseek(descriptor, 0, SEEK_CUR)
    isOurs = !file.isStandardInput
  }

  /// True if the body comes from a file or a pipe, and so may be of any length.
  var isFile: Bool { if case .descriptor = body { true } else { false } }

  /// Prepares the body to be sent again. Returns false for a pipe, whose contents are gone.
  func rewind() -> Bool {
    guard case .descriptor(let descriptor, _) = body else { return true }
    return start >= 0 && lseek(descriptor, start, SEEK_SET) == start
  }

  func close() {
    if isOurs, case .descriptor(let descriptor, _) = body { Glibc.close(descriptor) }
  }
}
