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
    let named = all(.clientCertificate)
    guard !named.isEmpty else {
      if let option = [Option.clientKey, .clientCertificateHost].first(where: has) {
        throw .belongs(option, to: .clientCertificate)
      }
      return nil
    }
    var key: [UInt8]?
    if let path = self[.clientKey] {
      guard named.count == 1, !named[0].hasPrefix(Self.tokenScheme) else {
        throw .contradiction(Option.clientKey.flag, "\(Option.clientCertificate.flag) \(named.last ?? "")")
      }
      key = try await InputFile(.clientKey, path).readOwn(limit: Self.largestFile)
    }
    var sources: [CertificateSource] = []
    for place in named { sources.append(try await source(place, key: key)) }
    let isSilent = has(.silent) || has(.headlessTest)
    return CertificateKeeper(
      sources, hosts: try certificateHosts, refusal: .certificateNeedsUser(isSilent: isSilent),
      tell: { messages.info("the user is asked about the certificate for \($0.host)") },
      hide: { Messages.hide($0) },
      ask: isSilent ? nil : certificateAsker(environment))
  }

  private static let tokenScheme = "pkcs11:"
  private static let largestFile = 256 * 1_024

  @GLibActor
  private func source(_ place: String, key: [UInt8]?) async throws(Failure) -> CertificateSource {
    let option = Option.clientCertificate
    guard !place.hasPrefix(Self.tokenScheme) else {
      if has(.headlessTest) { throw .contradiction(Option.headlessTest.flag, "\(option.flag) pkcs11:") }
      guard !["pin-value", "pin-source"].contains(where: place.holds) else {
        throw .takes(option.flag, "a pkcs11: URI without a PIN, which the user is asked for")
      }
      return .token(uri: place)
    }
    // Without its key, a certificate is no secret.
    let file = try await InputFile(option, place).readOwn(limit: Self.largestFile, othersMayRead: key != nil)
    do throws(CertificateFile.ReadError) { _ = try CertificateFile.pem(file, key: key) } catch {
      if error != .locked { throw Failure(.invalidOption, "\(option.flag): \(error.message)") }
    }
    let fileName = place.parts(at: "/").last ?? place
    return .file(name: CertificateFile.name(inPEM: file) ?? fileName, file, key: key)
  }

  /// The hosts that may have the certificate. Empty for that of the first page.
  private var certificateHosts: [String] {
    get throws(Failure) {
      try all(.clientCertificateHost).map { host throws(Failure) in
        guard (try? Origin("https://\(host)")) != nil,
          (try? Endpoint("https://\(host)"))?.host == host.lowercased()
        else { throw .takes(Option.clientCertificateHost.flag, "a host name") }
        return host
      }
    }
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
  private func certificateAsker(_ environment: Environment) -> CertificateAsker? {
    if let terminal = Terminal() {
      return { question throws(Failure) in try await CertificatePrompt.ask(question, at: terminal) }
    }
    guard environment.hasDisplay else { return nil }
    var options = WindowOptions()
    options.title = self[.title]
    options.requester = requester
    return { question throws(Failure) in
      try await CertificatePrompt.ask(question, in: environment.windowPrograms, options)
    }
  }

  /// The application that the user signs in for.
  var requester: Requester { Requester(application: self[.application], caller: RequesterProcesses.caller) }
}
