import GLibSupport
import GnuTLSCrypto
import LoginCore
import Platform
import SignIn
import WindowProtocol

/// The caller's wishes about who the user is below HTTP: client certificates and Kerberos.
extension Settings {
  /// The client certificates that the caller names. Refuses files that cannot be used.
  @GLibActor
  func certificateKeeper(
    _ environment: Environment, _ messages: Messages
  ) async throws(Failure) -> CertificateKeeper? {
    guard has(.clientCertificate) else { return nil }
    var sources: [CertificateKeeper.Source] = []
    for value in all(.clientCertificate) {
      let (host, place) = try Self.hostAndPlace(value)
      sources.append((host, try await source(place)))
    }
    let isSilent = has(.silent) || has(.headlessTest)
    return CertificateKeeper(
      sources, refusal: .certificateNeedsUser(isSilent: isSilent),
      tell: { messages.info("the user is asked about the certificate for \($0)") },
      hide: { Messages.hide($0) },
      ask: isSilent ? nil : certificateAsker(environment))
  }

  private static let tokenScheme = "pkcs11:"
  private static let largestFile = 256 * 1_024

  @GLibActor
  private func source(_ place: String) async throws(Failure) -> CertificateSource {
    let option = Option.clientCertificate
    guard !place.hasPrefix(Self.tokenScheme) else {
      if has(.headlessTest) { throw .contradiction(Option.headlessTest.flag, "\(option.flag) pkcs11:") }
      guard !["pin-value", "pin-source"].contains(where: place.holds) else {
        throw .takes(option.flag, "a pkcs11: URI without a PIN, which the user is asked for")
      }
      return .token(uri: place)
    }
    let file = try await InputFile(option, place).readOwn(limit: Self.largestFile)
    do throws(CertificateFile.ReadError) { _ = try CertificateFile.pem(file) } catch {
      if error != .locked { throw Failure(.invalidOption, "\(option.flag): \(error.message)") }
    }
    let fileName = place.parts(at: "/").last ?? place
    return .file(name: CertificateFile.name(inPEM: file) ?? fileName, file)
  }

  /// Splits `HOST=PLACE`. A place alone is for the host of the first page. Both a path and a URI of PKCS#11 may contain an
  /// equals sign, but not after a host name.
  private static func hostAndPlace(_ value: String) throws(Failure) -> (host: String?, place: String) {
    let (host, place) = value.splitOnce(at: "=")
    guard let place, !value.hasPrefix(tokenScheme), !host.utf8.contains(UInt8(ascii: "/")) else {
      return (nil, value)
    }
    guard (try? Origin("https://\(host)")) != nil,
      (try? Endpoint("https://\(host)"))?.host == host.lowercased(), !place.isEmpty
    else { throw .takes(Option.clientCertificate.flag, "FILE, HOST=FILE or pkcs11:URI") }
    return (host, place)
  }

  /// The origins that may ask for a Kerberos ticket.
  var negotiatingOrigins: [String] {
    get throws(Failure) {
      try all(.negotiate).map { host throws(Failure) in
        guard let origin = try? Origin("https://\(host)"), !host.contains("@") else {
          throw .takes(Option.negotiate.flag, "a host name, with a port unless it is 443")
        }
        return origin.description
      }
    }
  }

  /// Asks at the terminal, or else in a small window. Returns nil without both.
  @GLibActor
  private func certificateAsker(_ environment: Environment) -> QuestionAsker? {
    if let terminal = Terminal() {
      return { question throws(Failure) in try await terminal.ask(question) }
    }
    guard environment.hasDisplay else { return nil }
    var options = WindowOptions()
    options.title = self[.title]
    options.requester = requester
    let window = QuestionWindow(environment.windowPrograms, options)
    return { question throws(Failure) in
      guard let answer = try await window.ask(question) else { throw .windowClosed }
      return answer
    }
  }

  /// The application that the user signs in for.
  var requester: Requester { Requester(application: self[.application], caller: RequesterProcesses.caller) }
}
