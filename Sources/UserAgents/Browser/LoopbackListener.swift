import GLibSupport
import LoginCore
import LoginWays
import SoupNetwork
import Wording

/// Waits on this machine for the browser that brings the answer back: opened just before the login and closed
/// just after, on a loopback address, for one path (RFC 8252 sections 7.3 and 8.3).
///
/// Any program and any page on this machine can ask it, so nothing but an answer with the state of the login ends
/// anything; everything else is refused, and the login goes on (section 8.9 of the same).
@GLibActor
public final class LoopbackListener: AnswerListener {
  /// The redirect URI with the port on which the answer is awaited.
  public let redirectURI: RedirectURI
  private let server: HTTPServer
  private let desk: CallbackDesk
  private let cryptography: any Cryptography

  /// Begins to listen where the redirect URI says: at its port, or at one of the system's choice if it has none. The page
  /// at the end says for whom somebody has signed in, and what has come of it if that is known after a time of
  /// `patience`.
  package init(
    for redirectURI: RedirectURI, requester: Requester? = nil, cryptography: any Cryptography,
    patience: Duration = .seconds(5)
  ) throws(Failure) {
    guard case .loopback(let host, let port) = redirectURI.kind else {
      throw .defect(.here())
    }
    let desk = CallbackDesk(try EndPage(for: requester, cryptography: cryptography), patience)
    do throws(GLibError) {
      server = try Self.server(at: host, port: port, for: desk)
    } catch {
      throw Self.failure(error, port: port)
    }
    do throws(AddressFault) {
      self.redirectURI = port == nil ? try redirectURI.with(port: server.port) : redirectURI
    } catch {
      throw .defect(.here("\(error)"))
    }
    (self.desk, self.cryptography) = (desk, cryptography)
    desk.target = self.redirectURI.target
  }

  /// Where it listens.
  public var port: UInt16? { server.port }

  public func wait(
    for visit: Visit, deliver: @escaping @GLibActor (Arrival) -> Void,
    miss: @escaping @GLibActor (String) -> Void = { _ in }
  ) {
    (desk.visit, desk.deliver, desk.miss) = (visit, deliver, miss)
  }

  public func entrance(to url: String) -> String? {
    guard let bytes = try? cryptography.randomBytes(32), let origin = desk.target?.origin,
      url.utf8.allSatisfy(\.isVisible)
    else { return nil }
    let path = "/" + Base64.encodeURLSafe(bytes)
    desk.entrances[path] = url
    return origin + path
  }

  /// Lets the page reach its reader.
  public func close(_ conclusion: Conclusion) async {
    (desk.deliver, desk.miss) = (nil, nil)
    desk.conclude(conclusion)
    await server.close()
  }

  /// A port of the system's choice may be one that browsers refuse, or one of which somebody else has the half
  /// that belongs to the other family of addresses.
  private static func server(
    at host: RedirectURI.LoopbackHost, port: UInt16?, for desk: CallbackDesk
  ) throws(GLibError) -> HTTPServer {
    let loopback: HTTPServer.Loopback =
      switch host {
      case .ipv4: .ipv4
      case .ipv6: .ipv6
      case .name: .ipv4AndIPv6
      }
    for _ in 1..<attempts {
      do throws(GLibError) {
        return try HTTPServer(on: loopback, port: port ?? 0) { await desk.answer($0) }
      } catch  where port == nil && error.isAddressInUse {}
    }
    return try HTTPServer(on: loopback, port: port ?? 0) { await desk.answer($0) }
  }

  private static let attempts = 5

  private static func failure(_ error: GLibError, port: UInt16?) -> Failure {
    guard let port, error.isAddressInUse else {
      return .way(.obstacle(.unreachable(error.message)))
    }
    return .way(.obstacle(.portInUse(port)))
  }
}

/// Judges what browsers and others bring.
@GLibActor
private final class CallbackDesk {
  var target: RedirectURI.Target?
  var visit: Visit?
  var deliver: (@GLibActor (Arrival) -> Void)?
  var miss: (@GLibActor (String) -> Void)?
  /// Where pages of ours lead that were not opened yet.
  var entrances: [String: String] = [:]
  private let page: EndPage
  /// How long a browser may be kept waiting for what comes of its answer.
  private let patience: Duration
  /// The answer that was taken, what has come of it, and who waits for that.
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
    // Others who have seen the address come too early, or too late.
    if request.method == "GET", request[header: "Host"] == target?.authority,
      let url = entrances[request.path], request.isOwn
    {
      entrances[request.path] = nil
      return .redirect(to: url)
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
    // A browser names the page that is behind a POST, which is the provider's, but none that a link was on.
    if method == "GET", request.headers.contains(where: { $0.isOrigin(otherThan: target.origin) }) {
      return .bare(status: 403)
    }
    guard let uri = callbackURI(request, target) else { return page.response(.notAwaited, status: 415) }
    return await judge(uri)
  }

  /// The page for an answer to this login that came to another address than the redirect URI: the provider knows
  /// another one than the application has named.
  private func missed(_ request: HTTPServerRequest, status: Int) -> HTTPServerResponse? {
    guard let miss, request.method == "GET", let host = request[header: "Host"], let state = visit?.state,
      request.queryParameters?["state"].map({ State($0) == state }) == true
    else { return nil }
    miss("http://\(host)\(request.path)")
    return page.response(.elsewhere, status: status)
  }

  /// The address with the answer in its query, wherever it came.
  private func callbackURI(_ request: HTTPServerRequest, _ target: RedirectURI.Target) -> String? {
    let address = target.origin + target.path
    guard request.method == "POST" else {
      return address + (request.query(beginningWith: target.query).map { "?\($0)" } ?? "")
    }
    guard request.formParameters != nil, let form = String(validating: request.body, as: UTF8.self) else {
      return nil
    }
    // In a form it is a character like any other; in an address the query would end there.
    let answer = form.replacingAll("#", with: "%23")
    return "\(address)?" + (target.query.map { "\($0)&" } ?? "") + answer
  }

  private func judge(_ uri: String) async -> HTTPServerResponse {
    guard let callback = visit?.callback(brought: uri), deliver != nil || taken?.isIdentical(to: uri) == true
    else { return page.response(.notAwaited, status: 400) }
    // A page that is loaded again shows the same as before, and has nothing to bring.
    if let deliver {
      (self.deliver, taken) = (nil, uri)
      deliver(.callback(callback))
    }
    if let error = (try? callback.channels().query["error"]) ?? nil {
      return page.response(EndPageText(error: error))
    }
    return page.response(await known())
  }

  /// What has come of the answer; nothing if that is not known in time.
  private func known() async -> Conclusion? {
    if let conclusion { return conclusion }
    let reader = FirstResult<Conclusion?, Never>()
    readers.append(reader)
    let limit = Source.timer(every: patience) { reader.finish(.success(nil)) }
    defer { withExtendedLifetime(limit) {} }
    return await reader.result().get()
  }
}

extension Parameter {
  fileprivate func isOrigin(otherThan origin: String) -> Bool {
    name.lowercased() == "origin" && !value.isIdentical(to: origin)
  }
}
