import GnuTLSCrypto
import LoginCore
import SoupNetwork

extension CommandRun {
  /// What sessions do their work with.
  func means(_ settings: Settings) async throws(Failure) -> Means {
    Means(transport: try await transport(settings), cryptography: GnuTLSCryptography(), clock: SystemClock())
  }

  /// The way to the provider's servers, with the certificates that the caller trusts.
  func transport(_ settings: Settings, keepsCookies: Bool = false) async throws(Failure) -> SoupTransport {
    var certificates: [String: TrustedCertificate] = [:]
    for (host, bytes) in try await trusted(settings) {
      do throws(CertificateFault) {
        certificates[host] = try TrustedCertificate(bytes)
      } catch {
        let what = error == .several ? "several certificates" : "no certificate"
        throw .caller(
          .invalidOption("\(Option.trust.flag) \(host.forDisplay(limit: 60)): the file holds \(what)"))
      }
    }
    return SoupTransport(
      userAgent: "tokentry/\(Version.program)", trusted: certificates, keepsCookies: keepsCookies)
  }

  /// The contents of the certificate files by host.
  func trusted(_ settings: Settings) async throws(Failure) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for pair in settings.pairs(.trust) {
      let file = InputFile(flag: "\(Option.trust.flag) \(pair.name.forDisplay(limit: 60))", path: pair.value)
      files[pair.name] = try await file.read(limit: 64 * 1_024)
    }
    return files
  }

  /// What forms are filled with. A value that begins with `@` is the contents of a file, so that a password
  /// need not be on the command line.
  func formValues(_ settings: Settings) async throws(Failure) -> [Parameter] {
    var values: [Parameter] = []
    for pair in settings.pairs(.form) {
      guard pair.value.utf8.first == UInt8(ascii: "@") else {
        values.append(pair)
        continue
      }
      let file = InputFile(
        flag: "--form \(pair.name.forDisplay(limit: 60))", path: String(pair.value.dropFirst()))
      var bytes = try await file.read(limit: 64 * 1_024)
      if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      values.append(Parameter(pair.name, String(decoding: bytes, as: UTF8.self)))
    }
    return values
  }
}
