import GLibSupport
import Language
import LoginCore
import SoupNetwork
import WindowProtocol

/// Listens on a loopback address for the browser that brings the answer back, from just before the login to just after
/// it and for one path (RFC 8252 sections 7.3 and 8.3).
///
/// Any program or page on this machine can send requests here, so only an answer with the state of the login ends it. All
/// other requests are refused, and the login goes on (section 8.9).
@GLibActor
package final class LoopbackListener: AnswerListener {
  /// The redirect URI with the port.
  package let redirectURI: RedirectURI
  private let server: HTTPServer
  private let handler: CallbackHandler
  private let cryptography: any Cryptography

  /// Starts to listen at the port of the redirect URI, or at a free one if it has none, or if it `mayMove` and that port is
  /// taken. The page at the end names the application, and the result if that is known within `patience`.
  package init(
    for redirectURI: RedirectURI, mayMove: Bool = false, requester: Requester? = nil,
    cryptography: any Cryptography, patience: Duration = .seconds(5)
  ) throws(Failure) {
    guard case .loopback(let host, let port) = redirectURI.kind else {
      throw .defect()
    }
    let handler = CallbackHandler(try EndPage(for: requester, cryptography: cryptography), patience)
    let server = try failing(Self.server(at: host, port: port, mayMove: mayMove, for: handler)) {
      (error: GLibError) in Self.failure(error, port: port)
    }
    self.server = server
    self.redirectURI = try failing(
      port == server.port ? redirectURI : redirectURI.with(port: server.port)
    ) { (reason: Message) in .defect(reason.description) }
    (self.handler, self.cryptography) = (handler, cryptography)
    handler.target = self.redirectURI.target
  }

  package var port: UInt16? { server.port }

  package func wait(
    for visit: Visit, deliver: @escaping @GLibActor (Arrival) -> Void,
    miss: @escaping @GLibActor (MissedAnswer) -> Void = { _ in }
  ) {
    (handler.visit, handler.deliver, handler.miss) = (visit, deliver, miss)
  }

  package func entrance(to url: String, isOneTime: Bool) -> String? {
    guard let bytes = try? cryptography.randomBytes(32), let origin = handler.target?.origin,
      url.utf8.allSatisfy(\.isVisible)
    else { return nil }
    let path = "/" + Base64.encodeURLSafe(bytes)
    handler.entrances[path] = (url, isOneTime)
    return origin + path
  }

  /// Waits until the page has been sent.
  package func close(_ conclusion: Conclusion) async {
    (handler.deliver, handler.miss) = (nil, nil)
    handler.conclude(conclusion)
    await server.close()
  }

  /// Tries several free ports: browsers block some, and others are taken in the other address family.
  private static func server(
    at host: RedirectURI.LoopbackHost, port wanted: UInt16?, mayMove: Bool, for handler: CallbackHandler
  ) throws(GLibError) -> HTTPServer {
    let loopback: HTTPServer.Loopback =
      switch host {
      case .ipv4: .ipv4
      case .ipv6: .ipv6
      case .name: .ipv4AndIPv6
      }
    func server(at port: UInt16) throws(GLibError) -> HTTPServer {
      try HTTPServer(on: loopback, port: port) { await handler.answer($0) }
    }
    if let wanted {
      do throws(GLibError) {
        return try server(at: wanted)
      } catch  where mayMove && error.isAddressInUse {}
    }
    for _ in 1..<attempts {
      do throws(GLibError) { return try server(at: 0) } catch  where error.isAddressInUse {}
    }
    return try server(at: 0)
  }

  private static let attempts = 5

  private static func failure(_ error: GLibError, port: UInt16?) -> Failure {
    guard let port, error.isAddressInUse else {
      return Failure(
        .noUserAgent, "a browser cannot reach this machine: \(error.message.forDisplay(limit: 200))")
    }
    return .portInUse(port)
  }
}

extension Failure {
  package static func portInUse(_ port: UInt16) -> Failure {
    Failure(
      .noUserAgent, "the port \(port) of the redirect URI is in use by another program",
      hint: "end that program, or register a redirect URI without a port if the provider allows it")
  }
}

/// Answers the requests of browsers and others.
@GLibActor
private final class CallbackHandler {
  var target: RedirectURI.Target?
  var visit: Visit?
  var deliver: (@GLibActor (Arrival) -> Void)?
  var miss: (@GLibActor (MissedAnswer) -> Void)?
  /// The pages behind entrances that can still be used, by path.
  var entrances: [String: (url: String, isOneTime: Bool)] = [:]
  /// True once an answer from another user was refused.
  private var hasRefused = false
  private let page: EndPage
  /// How long a browser waits for the result of its answer.
  private let patience: Duration
  /// The answer that was taken, its result, and the requests that wait for the result.
  private var taken: String?
  private var conclusion: Conclusion?
  private var readers: [FirstResult<Conclusion?, Never>] = []

  init(_ page: EndPage, _ patience: Duration) { (self.page, self.patience) = (page, patience) }

  func conclude(_ conclusion: Conclusion) {
    self.conclusion = conclusion
    for reader in readers { reader.finish(.success(conclusion)) }
    readers = []
  }

  func answer(_ request: HTTPServerRequest) async -> HTTPServerResponse {
    // Every user of this machine can see the entrance, or learn the state from a command line, and bring another answer.
    guard request.isOwn else { return refused(request) }
    // Another program of this user that has seen this address comes too early or too late.
    if request.method == "GET", request[header: "Host"] == target?.authority,
      let entrance = entrances[request.path]
    {
      if entrance.isOneTime { entrances[request.path] = nil }
      return .redirect(to: entrance.url)
    }
    guard let target, request.path.isIdentical(to: target.decodedPath) else {
      return missed(request, status: 404) ?? .bare(status: 404)
    }
    let method = visit?.isPosted == true ? "POST" : "GET"
    guard request.method == method else {
      return .bare(status: 405).adding("Allow", method)
    }
    guard request[header: "Host"]?.lowercased().isIdentical(to: target.authority) == true else {
      return missed(request, status: 421) ?? .bare(status: 421)
    }
    // Browsers send an Origin with a POST, here the provider's, but not when they follow a redirect or a link.
    if method == "GET", request.headers.contains(where: { $0.isOrigin(otherThan: target.origin) }) {
      return .bare(status: 403)
    }
    // Without a state, any site could end the login from a page of its own, as with an image.
    if visit?.state == nil, let use = request[header: "Sec-Fetch-Dest"], use != "document" {
      return .bare(status: 403)
    }
    guard let uri = callbackURI(request, target) else { return page.response(.notAwaited, status: 415) }
    return await judge(uri)
  }

  /// The page for an answer to this login at an address that is not the redirect URI. The one registered with the
  /// provider then differs from the application's.
  private func missed(_ request: HTTPServerRequest, status: Int) -> HTTPServerResponse? {
    guard let miss, answersVisit(request), let host = request[header: "Host"] else { return nil }
    miss(.elsewhere("http://\(host)\(request.path)"))
    return page.response(.elsewhere, status: status)
  }

  /// The page for a program of another user. If it brings an answer to this login, the user may have signed in with a
  /// browser of another account, and is told once.
  private func refused(_ request: HTTPServerRequest) -> HTTPServerResponse {
    guard answersVisit(request) else { return .bare(status: 404) }
    if !hasRefused { miss?(.otherUser) }
    hasRefused = true
    return page.response(.otherUser, status: 403)
  }

  /// True if a request has the state of the login in its query.
  private func answersVisit(_ request: HTTPServerRequest) -> Bool {
    guard request.method == "GET", let state = visit?.state else { return false }
    return request.queryParameters?["state"].map { OAuthState($0) == state } == true
  }

  /// The redirect URI with the answer in its query, even if it was posted.
  private func callbackURI(_ request: HTTPServerRequest, _ target: RedirectURI.Target) -> String? {
    let address = target.origin + target.path
    guard request.method == "POST" else {
      return address + (request.query(beginningWith: target.query).map { "?\($0)" } ?? "")
    }
    guard request.formParameters != nil, let form = String(validating: request.body, as: UTF8.self) else {
      return nil
    }
    // Forms may contain a plain #, which would end the query.
    let answer = form.replacingAll("#", with: "%23")
    return "\(address)?" + (target.query.map { "\($0)&" } ?? "") + answer
  }

  private func judge(_ uri: String) async -> HTTPServerResponse {
    guard let callback = visit?.callback(brought: uri), deliver != nil || taken?.isIdentical(to: uri) == true
    else { return page.response(.notAwaited, status: 400) }
    // A reloaded page shows the result again, but its answer is not delivered twice.
    if let deliver {
      (self.deliver, taken) = (nil, uri)
      deliver(.callback(callback))
    }
    if let error = (try? callback.channels().query["error"]) ?? nil {
      let text = EndPageText(error: error)
      guard text == .refused, case .failure(let failure)? = await known(), failure.kind != .givenUp else {
        return page.response(text)
      }
      return page.response(text, after: failure)
    }
    return page.response(await known())
  }

  /// Waits for the result. Returns nil if it is not known in time.
  private func known() async -> Conclusion? {
    if let conclusion { return conclusion }
    let reader = FirstResult<Conclusion?, Never>()
    readers.append(reader)
    let limit = Source.after(patience) { reader.finish(.success(nil)) }
    defer { withExtendedLifetime(limit) {} }
    return await reader.result().get()
  }
}

extension Parameter {
  fileprivate func isOrigin(otherThan origin: String) -> Bool {
    name.lowercased() == "origin" && !value.isIdentical(to: origin)
  }
}
