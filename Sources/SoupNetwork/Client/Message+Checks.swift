import LoginCore

extension Message {
  /// Refuses an answer that the host has not given: when a proxy makes no tunnel, libsoup passes its words on
  /// as if they were the host's.
  func checkSender() throws(Failure) {
    guard isForTLS, !hasCertificate else { return }
    throw .network(
      .connection(host: host, status == 407 ? .proxyNeedsPassword : .proxyRefused(status: status)))
  }

  /// Refuses a body that libsoup would not decode, and one that was coded several times: a few bytes of that
  /// could keep the decoders busy for minutes before anything comes out.
  func checkCoding() throws(Failure) {
    let fields = headers.filter { $0.name.lowercased() == "content-encoding" }
    guard let coding = fields.first?.value else { return }
    // A list has a comma in it, so it is none of the names.
    guard fields.count == 1, Self.decoded.contains(coding) else {
      throw .network(.badResponse(.coding))
    }
  }

  /// The content codings that libsoup removes (RFC 9110 section 8.4.1), in small letters only.
  private static let decoded: Set<String> = ["identity", "gzip", "x-gzip", "deflate", "br"]
}
