import CGLib
import CSoup
import GLibSupport
import LoginCore

/// The certificate with which the user proves to a server who they are.
@GLibActor
package protocol ClientIdentity: AnyObject, Sendable {
  /// True if the server may get the certificate.
  func serves(_ host: String) -> Bool

  /// Returns the certificate for a server that asks for one, or nil to go on without.
  func certificate(for host: String) async throws(Failure) -> TLSCertificate?

  /// Returns the PIN of the certificate's token, or nil if the user does not enter it.
  func pin(for host: String, _ flags: PINFlags) async throws(Failure) -> String?
}

/// Answers the questions of one exchange about the client's certificate. While the user is asked, the exchange waits.
@GLibActor
final class CertificateDesk {
  private let identity: any ClientIdentity
  private let host: String
  private let cancellable: Cancellable
  private let sent = FirstResult<ByteStream, GLibError>()
  private var isAsking = false
  /// True if the user was asked since the last call of ``holdsUp()``.
  private var hasAsked = false
  /// The reason why there is no certificate. It ends the exchange.
  private(set) var refusal: Failure?

  init(_ identity: any ClientIdentity, for host: String, cancelling cancellable: Cancellable) {
    (self.identity, self.host, self.cancellable) = (identity, host, cancellable)
  }

  /// Returns true if the exchange may take its whole time again, because the user is asked, or just was.
  func holdsUp() -> Bool {
    defer { hasAsked = isAsking }
    return isAsking || hasAsked
  }

  /// Returns the result of `send`, or an error as soon as the exchange is cancelled: a handshake that waits for a PIN goes
  /// on waiting, since it could only be ended with a wrong one.
  func result(
    of send: @escaping @GLibActor @Sendable () async -> Result<ByteStream, GLibError>
  ) async throws(GLibError) -> ByteStream {
    GLibActor.task { [sent] in sent.finish(await send()) }
    return try await withTaskCancellationHandler {
      await sent.result()
    } onCancel: {
      cancellable.cancel()
      GLibActor.task { self.giveUp() }
    }.get()
  }

  private func giveUp() { sent.finish(.failure(GLibError(io: G_IO_ERROR_CANCELLED, "cancelled"))) }

  /// Looks for an answer and passes it to `take`, or nil to go on without one.
  func answer<Answer>(
    _ take: @escaping @GLibActor (Answer?) -> Void,
    _ look: @escaping @GLibActor (any ClientIdentity, String) async throws(Failure) -> Answer?
  ) {
    (isAsking, hasAsked) = (true, true)
    GLibActor.task { [self] in
      var found: Answer?
      do throws(Failure) { found = try await look(identity, host) } catch {
        refusal = error
        cancellable.cancel()
        giveUp()
      }
      isAsking = false
      take(found)
    }
  }
}

extension SoupRequest {
  /// Has the server's questions about the client's certificate answered. Returns nil if the server gets none: then there
  /// is no handler, and TLS goes on without a certificate.
  func desk(of judge: ConnectionJudge, cancelling cancellable: Cancellable) -> CertificateDesk? {
    guard let identity = judge.identity else { return nil }
    let desk = CertificateDesk(identity, for: host, cancelling: cancellable)
    ask(desk)
    return desk
  }

  private func ask(_ desk: CertificateDesk) {
    let certificate: @GLibActor @convention(c) (OpaquePointer, gpointer, gpointer) -> gboolean = {
      message, _, data in
      g_object_ref(UnsafeMutableRawPointer(message))
      Handler<CertificateDesk>.body(data).answer { (found: TLSCertificate?) in
        soup_message_set_tls_client_certificate(message, found?.pointer)
        g_object_unref(UnsafeMutableRawPointer(message))
      } _: { identity, host throws(Failure) in
        try await identity.certificate(for: host)
      }
      return 1
    }
    connect(UnsafeMutableRawPointer(pointer), "request-certificate", certificate, desk)
    let password:
      @GLibActor @convention(c) (OpaquePointer, UnsafeMutablePointer<GTlsPassword>, gpointer) -> gboolean = {
        message, password, data in
        g_object_ref(UnsafeMutableRawPointer(message))
        g_object_ref(password)
        let flags = PINFlags(g_tls_password_get_flags(password))
        Handler<CertificateDesk>.body(data).answer { (pin: String?) in
          // Without a PIN the exchange is over. Completing the request would try an empty one, which is wrong.
          if let pin {
            let bytes = Array(pin.utf8)
            g_tls_password_set_value(password, bytes, gssize(bytes.count))
            soup_message_tls_client_certificate_password_request_complete(message)
          }
          g_object_unref(password)
          g_object_unref(UnsafeMutableRawPointer(message))
        } _: { identity, host throws(Failure) in
          guard let pin = try await identity.pin(for: host, flags) else {
            throw .lacksClientCertificate(host)
          }
          return pin
        }
        return 1
      }
    connect(UnsafeMutableRawPointer(pointer), "request-certificate-password", password, desk)
  }
}
