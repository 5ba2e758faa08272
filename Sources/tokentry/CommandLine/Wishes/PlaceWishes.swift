import GLibSupport
import GnuTLSCrypto
import LoginCore
import Platform
import SignIn
import SoupNetwork
import WindowProtocol

/// The place where this process works: the store of the accounts, the certificates of servers and of the user, and the
/// messages. A ``Host`` is made from them.
struct PlaceWishes: WishGroup {
  var store: StorePlace?
  var isImpatient = false
  var trusted: [TrustedHost] = []
  var certificates: [OwnCertificate] = []
  var negotiating: [Origin] = []
  var verbosity = 0

  static let rows =
    under(
      .account,
      [
        value(
          \.store, "store", .text("PLACE"), "keyring, file:PATH or agent:PATH"
        ) { given throws(Failure) in try StorePlace(given.text, of: given.option.flag) },
        flag(\.isImpatient, "no-wait", "fail at once if others use the account"),
      ])
    + under(
      .user,
      [
        values(
          \.trusted, "trust", .pair("HOST=FILE"), "the host's certificate, or its sha256:HEX",
          TrustedHost.init),
        values(
          \.certificates, "client-certificate", .texts("FILE"), "yours, with its key; HOST=FILE, pkcs11:URI",
          OwnCertificate.init),
        values(
          \.negotiating, "negotiate", .texts("HOST"), "a host that may ask for a Kerberos ticket",
          wanting: "a host name, with a port unless it is 443"
        ) { host in host.contains("@") ? nil : try? Origin("https://\(host)") },
      ])
    + under(
      .result,
      [
        row(
          "verbose", .level, "report progress; -vv: each request", letter: "v"
        ) { group, _ in group.verbosity += 1 }.onlyTyped
      ])

  /// The options about servers and the user's certificates.
  static var ofServers: [Option] { options("trust", "client-certificate", "negotiate") }

  /// The messages that the caller wants.
  var messages: Messages { Messages([.quiet, .verbose, .trace][min(verbosity, 2)]) }

  /// The certificates by their hosts, once their files were read.
  var trustedCertificates: [String: TrustedCertificate] {
    trusted.reduce(into: [:]) { $0[$1.host] = $1.certificate }
  }

  @GLibActor
  mutating func readFiles() async throws(Failure) {
    for index in trusted.indices { try await trusted[index].read() }
    for index in certificates.indices { try await certificates[index].read() }
  }
}

/// The place where accounts are kept, with its path as the caller wrote it.
enum StorePlace: Sendable, Equatable {
  case keyring
  case folder(String)
  /// The socket of an agent, or of the agent of this machine.
  case agent(String?)

  /// The variable with the path of an agent's socket.
  static let agentVariable = "TOKENTRY_AGENT"

  init?(_ text: String) {
    let (kind, path) = text.splitOnce(at: ":")
    switch (kind, path) {
    case ("keyring", nil): self = .keyring
    case ("file", let path?) where !path.isEmpty: self = .folder(path)
    case ("agent", let path?): self = .agent(path.isEmpty ? nil : path)
    default: return nil
    }
  }

  /// Reads the value of an option or a variable.
  init(_ text: String, of name: String) throws(Failure) {
    if let place = StorePlace(text) {
      self = place
    } else {
      throw .takes(name, "keyring, file:PATH or agent:PATH").with(
        hint: text.contains("/") ? .didYouMean("file:\(text.forDisplay(limit: 200))") : nil)
    }
  }

  /// The place that the environment names: in `TOKENTRY_AGENT`, or else in `TOKENTRY_STORE`.
  static func named(by environment: Environment) throws(Failure) -> StorePlace? {
    if let path = try environment.text(agentVariable) { return .agent(path) }
    let variable = "TOKENTRY_STORE"
    return try environment.text(variable).map { text throws(Failure) in
      try StorePlace(text, of: variable)
    }
  }
}

/// A certificate that the caller trusts for a host.
struct TrustedHost: Sendable {
  let host: String
  /// nil before the file was read.
  private(set) var certificate: TrustedCertificate?
  private let file: InputFile

  init(_ given: Given) throws(Failure) {
    let (host, place) = (given.pair.name, given.pair.value)
    // A certificate is trusted for a host, not for one of its ports. An IPv6 address has several colons.
    if host.contains(where: { "]/@*".contains($0) }) || host.filter({ $0 == ":" }).count == 1 {
      throw .takes(given.name, "HOST=FILE")
    }
    self.host = host
    file = InputFile(flag: "\(given.option.flag) \(host.forDisplay(limit: 60))", path: place)
    certificate = TrustedCertificate(digest: place)
    if certificate == nil, place.hasPrefix("sha256:") {
      throw .takes(file.flag, "sha256: and 64 hexadecimal digits")
    }
  }

  @GLibActor
  mutating func read() async throws(Failure) {
    if certificate != nil { return }
    let bytes = try await file.readOwn(limit: 64 * 1_024, othersMayRead: true)
    certificate = try failing(TrustedCertificate(bytes)) { (error: TrustedCertificate.ReadError) in
      Failure(
        .invalidOption,
        error == .several
          ? "\(file.flag, upTo: 100): the file contains several certificates"
          : "\(file.flag, upTo: 100): the file contains no certificate")
    }
  }
}

/// A client certificate of the user: a file, or a token of PKCS#11.
struct OwnCertificate: Sendable {
  private let file: InputFile
  /// The only host that may ask for it. nil for the host of the first page.
  let host: String?
  /// nil before the file was read.
  private(set) var source: CertificateSource?

  fileprivate var isToken: Bool { if case .token? = source { true } else { false } }

  private static let tokenScheme = "pkcs11:"
  private static let largestFile = 256 * 1_024

  init(_ given: Given) throws(Failure) {
    let place: String
    (host, place) = try Self.hostAndPlace(given)
    file = InputFile(given.option, place)
    guard place.hasPrefix(Self.tokenScheme) else { return }
    guard !["pin-value", "pin-source"].contains(where: place.holds) else {
      throw .takes(file.flag, "a pkcs11: URI without a PIN, which the user is asked for")
    }
    source = .token(uri: place)
  }

  /// Splits `HOST=PLACE`. Both a path and a URI of PKCS#11 may contain an equals sign, but not after a host name.
  private static func hostAndPlace(_ given: Given) throws(Failure) -> (host: String?, place: String) {
    let (host, place) = given.text.splitOnce(at: "=")
    guard let place, !given.text.hasPrefix(tokenScheme), !host.utf8.contains(UInt8(ascii: "/")) else {
      return (nil, given.text)
    }
    guard (try? Origin("https://\(host)")) != nil,
      (try? Endpoint("https://\(host)"))?.host == host.lowercased(), !place.isEmpty
    else { throw .takes(given.option.flag, "FILE, HOST=FILE or pkcs11:URI") }
    return (host, place)
  }

  @GLibActor
  mutating func read() async throws(Failure) {
    if source != nil { return }
    let bytes = try await file.readOwn(limit: Self.largestFile)
    do throws(CertificateFile.ReadError) { _ = try CertificateFile.pem(bytes) } catch {
      if error != .locked { throw Failure(.invalidOption, "\(file.flag): \(error.message)") }
    }
    let fileName = file.path.parts(at: "/").last ?? file.path
    source = .file(name: CertificateFile.name(inPEM: bytes) ?? fileName, bytes)
  }
}

extension CertificateKeeper {
  /// Keeps the client certificates that the caller names. Returns nil if there are none.
  @GLibActor
  convenience init?(
    _ place: PlaceWishes, _ asking: AskingWishes, _ environment: Environment
  ) throws(Failure) {
    let (certificates, messages) = (place.certificates, place.messages)
    if certificates.isEmpty { return nil }
    if asking.isTest, certificates.contains(where: \.isToken) {
      throw .contradiction(
        AskingWishes.flag("headless-test"), "\(PlaceWishes.flag("client-certificate")) pkcs11:")
    }
    let isSilent = asking.isSilent || asking.isTest
    self.init(
      certificates.compactMap { certificate in certificate.source.map { (certificate.host, $0) } },
      refusal: .certificateNeedsUser(isSilent: isSilent),
      tell: { messages.info("the user is asked about the certificate for \($0)") },
      hide: { Messages.hide($0) },
      ask: isSilent ? nil : asking.certificateAsker(environment))
  }
}

extension AskingWishes {
  /// Asks at the terminal, or else in a small window. Returns nil without both.
  @GLibActor
  fileprivate func certificateAsker(_ environment: Environment) -> QuestionAsker? {
    if let terminal = Terminal() {
      return { question throws(Failure) in try await terminal.ask(question) }
    }
    guard environment.hasDisplay else { return nil }
    var options = WindowOptions()
    (options.title, options.requester) = (title, requester)
    let window = WindowHost(environment.windowPrograms, options)
    return { question throws(Failure) in
      guard let answer = try await window.ask(question) else { throw .windowClosed }
      return answer
    }
  }
}
