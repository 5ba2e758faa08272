import Foundation
import GnuTLSCrypto
import LoginCore

/// A certificate authority for tests. Its files, made with `openssl`, are removed with the object.
public final class TestAuthority: Sendable {
  /// A certificate and its key.
  public struct Identity: Sendable {
    /// The path of the certificate in PEM.
    public let certificate: String
    /// The path of the key in PEM.
    public let key: String
    private let authority: TestAuthority  // keeps the folder with the files

    fileprivate init(_ certificate: String, _ key: String, _ authority: TestAuthority) {
      self.certificate = certificate
      self.key = key
      self.authority = authority
    }

    /// The certificate in PEM.
    public func pem() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: certificate))) }

    /// The certificate in DER.
    public func der() throws -> [UInt8] {
      let lines = try String(contentsOf: URL(filePath: certificate), encoding: .utf8).split(separator: "\n")
      return Array(Data(base64Encoded: lines.filter { !$0.hasPrefix("-----") }.joined()) ?? Data())
    }

    /// The SHA-256 fingerprint of the certificate, computed by `openssl`.
    public func fingerprint() throws -> String {
      let text = try openssl("x509", "-in", certificate, "-noout", "-fingerprint", "-sha256")
      return String(text.split(separator: "=").last ?? "").trimmingCharacters(in: .newlines)
    }
  }

  private let folder: URL

  /// The path of the authority's own certificate.
  public let certificate: String

  /// The authority's own certificate and key.
  public var root: Identity { Identity(certificate, path("ca.key"), self) }

  public init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "authority-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appending(path: "ca.pem").path()
    try openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
      "-keyout", path("ca.key"), "-out", certificate, "-subj", "/CN=authority",
      "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Makes a certificate that this authority signs. It is valid for `days` from today; a negative number makes an expired
  /// one.
  public func identity(_ name: String, for host: String = "DNS:localhost,IP:127.0.0.1", days: Int = 30) throws
    -> Identity
  {
    let file = { (suffix: String) in self.path("\(name).\(suffix)") }
    try openssl(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", file("key"),
      "-out", file("csr"), "-subj", "/CN=\(name)")
    try "subjectAltName=\(host)\nextendedKeyUsage=serverAuth\nbasicConstraints=critical,CA:FALSE\n"
      .write(toFile: file("ext"), atomically: true, encoding: .utf8)
    try openssl(
      "x509", "-req", "-in", file("csr"), "-CA", certificate, "-CAkey",
      path("ca.key"),
      "-CAcreateserial", "-days", "\(days)", "-out", file("pem"), "-extfile", file("ext"))
    return Identity(file("pem"), file("key"), self)
  }

  /// Protects a key with a passphrase, and returns the path of the copy.
  public func locked(_ identity: Identity, _ passphrase: String) throws -> String {
    let copy = identity.key + ".locked"
    try openssl("pkcs8", "-topk8", "-in", identity.key, "-passout", "pass:\(passphrase)", "-out", copy)
    return copy
  }

  /// Puts an identity into a file in PKCS#12 with a passphrase, and returns its path.
  public func archive(_ identity: Identity, _ passphrase: String) throws -> String {
    let copy = identity.key + ".p12"
    try openssl(
      "pkcs12", "-export", "-in", identity.certificate, "-inkey", identity.key, "-passout",
      "pass:\(passphrase)", "-out", copy)
    return copy
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path() }

  /// Makes a self-signed certificate.
  public func selfSigned(_ name: String) throws -> Identity {
    let file = { (suffix: String) in self.path("\(name).\(suffix)") }
    try openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
      "-keyout", file("key"), "-out", file("pem"), "-subj", "/CN=\(name)",
      "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    return Identity(file("pem"), file("key"), self)
  }
}

/// Runs `openssl` and returns its output. Throws if it fails.
@discardableResult
private func openssl(_ arguments: String...) throws -> String {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["openssl"] + arguments
  let output = Pipe()
  let errors = Pipe()
  process.standardOutput = output
  process.standardError = errors
  try process.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    throw OpenSSLError(message: words)
  }
  return text
}

private struct OpenSSLError: Error {
  let message: String
}

/// HMAC with SHA-256 (FIPS 198-1). `Cryptography` itself only verifies HMACs.
public func hmacSHA256(_ text: String, _ secret: [UInt8]) throws -> [UInt8] {
  let cryptography = GnuTLSCryptography()
  var key = secret.count > 64 ? try cryptography.digest(.sha256, of: secret) : secret
  key += [UInt8](repeating: 0, count: 64 - key.count)
  let inner = try cryptography.digest(.sha256, of: key.map { $0 ^ 0x36 } + Array(text.utf8))
  return try cryptography.digest(.sha256, of: key.map { $0 ^ 0x5C } + inner)
}
