import CGLib

/// A client certificate with its key, as GLib's TLS takes it.
@GLibActor
package final class TLSCertificate {
  package let pointer: UnsafeMutablePointer<GTlsCertificate>

  /// Reads the certificate, its chain and its key.
  package init(pem: String) throws(GLibError) {
    var error: UnsafeMutablePointer<GError>?
    let certificate = g_tls_certificate_new_from_pem(pem, -1, &error)
    if let error { throw GLibError(consuming: error) }
    guard let certificate else { throw GLibError(io: G_IO_ERROR_FAILED, "no certificate") }
    pointer = certificate
  }

  /// Names a certificate in a PKCS#11 token. GLib finds the key only with a URI of its own.
  package init(uri: String, keyURI: String) throws(GLibError) {
    var error: UnsafeMutablePointer<GError>?
    let certificate = g_tls_certificate_new_from_pkcs11_uris(uri, keyURI, &error)
    if let error { throw GLibError(consuming: error) }
    guard let certificate else { throw GLibError(io: G_IO_ERROR_FAILED, "no certificate") }
    pointer = certificate
  }

  isolated deinit { g_object_unref(pointer) }
}

/// The state of a token that asks for its PIN.
package struct PINFlags: Sendable, Equatable {
  /// True if the PIN given before was wrong.
  package let wasWrong: Bool
  /// True if the token will soon be locked.
  package let leavesFewTries: Bool
  /// True if another wrong PIN locks the token.
  package let isLastTry: Bool

  package init(_ flags: GTlsPasswordFlags) {
    func has(_ flag: GTlsPasswordFlags) -> Bool { flags.rawValue & flag.rawValue != 0 }
    wasWrong = has(G_TLS_PASSWORD_RETRY)
    leavesFewTries = has(G_TLS_PASSWORD_MANY_TRIES)
    isLastTry = has(G_TLS_PASSWORD_FINAL_TRY)
  }

  package init(wasWrong: Bool, leavesFewTries: Bool, isLastTry: Bool) {
    (self.wasWrong, self.leavesFewTries, self.isLastTry) = (wasWrong, leavesFewTries, isLastTry)
  }
}
