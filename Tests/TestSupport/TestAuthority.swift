import Foundation

/// A certificate authority of the tests, which `openssl` makes in a temporary folder that goes with it.
public final class TestAuthority: Sendable {
  /// A certificate and its key, as files in PEM.
  public struct Identity: Sendable {
    /// The certificate's file.
    public let certificate: String
    /// The key's file.
    public let key: String
    private let authority: TestAuthority  // its folder holds the files

    fileprivate init(_ certificate: String, _ key: String, _ authority: TestAuthority) {
      self.certificate = certificate
      self.key = key
      self.authority = authority
    }

    /// The certificate's bytes.
    public func pem() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: certificate))) }

    /// The certificate in DER.
    public func der() throws -> [UInt8] {
      let lines = try String(contentsOf: URL(filePath: certificate), encoding: .utf8).split(separator: "\n")
      return Array(Data(base64Encoded: lines.filter { !$0.hasPrefix("-----") }.joined()) ?? Data())
    }

    /// What `openssl` says its SHA-256 fingerprint is.
    public func fingerprint() throws -> String {
      let text = try openssl("x509", "-in", certificate, "-noout", "-fingerprint", "-sha256")
      return String(text.split(separator: "=").last ?? "").trimmingCharacters(in: .newlines)
    }
  }

  private let folder: URL

  /// The certificate of the authority itself.
  public let certificate: String

  /// The authority's own certificate and key.
  public var root: Identity { Identity(certificate, path("ca.key"), self) }

  /// Makes an authority.
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

  /// A certificate of this authority for a name, good from today on for as many days; fewer than none have
  /// passed.
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

  private func path(_ name: String) -> String { folder.appending(path: name).path() }

  /// A certificate that vouches for itself.
  public func selfSigned(_ name: String) throws -> Identity {
    let file = { (suffix: String) in self.path("\(name).\(suffix)") }
    try openssl(
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
      "-keyout", file("key"), "-out", file("pem"), "-subj", "/CN=\(name)",
      "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    return Identity(file("pem"), file("key"), self)
  }
}

/// Runs `openssl`, which has to succeed, and returns what it printed.
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
    throw OpenSSLFault(words: words)
  }
  return text
}

private struct OpenSSLFault: Error {
  let words: String
}
