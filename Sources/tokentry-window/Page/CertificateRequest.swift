import CWebKitGTK
import GLibSupport
import LoginCore
import WindowProtocol

/// A server's request for the client's certificate, or a smart card's request for its PIN. WebKit waits for the answer. If
/// a server's request is released without one, the server gets no certificate.
@GLibActor
final class CertificateRequest {
  let host: String
  /// The state of the PIN, or nil if a server asks for a certificate.
  let flags: PINFlags?
  private var pointer: UnsafeMutablePointer<WebKitAuthenticationRequest>?

  /// Returns nil for any other kind of authentication. `dropped` is called if WebKit cancels a server's request.
  init?(
    _ request: UnsafeMutablePointer<WebKitAuthenticationRequest>, dropped: @escaping @GLibActor () -> Void
  ) {
    switch webkit_authentication_request_get_scheme(request) {
    case WEBKIT_AUTHENTICATION_SCHEME_CLIENT_CERTIFICATE_REQUESTED: flags = nil
    case WEBKIT_AUTHENTICATION_SCHEME_CLIENT_CERTIFICATE_PIN_REQUESTED:
      flags = PINFlags(webkit_authentication_request_get_certificate_pin_flags(request))
    default: return nil
    }
    let isForHost = webkit_authentication_request_is_for_proxy(request) == 0
    host =
      isForHost ? PageAddress.bareHost(String(cString: webkit_authentication_request_get_host(request))) : ""
    g_object_ref(request)
    pointer = request
    if flags != nil { return }
    connect(request, "cancelled") { [weak self] in if self?.pointer != nil { dropped() } }
  }

  isolated deinit { refuse() }

  /// Goes on without a certificate, which many servers do not insist on. A request for a PIN is not answered until the
  /// window ends, because WebKit would try an empty PIN, even for a cancelled request.
  func refuse() { if flags == nil { answer(nil) } }

  func give(_ certificate: TLSCertificate) {
    answer(
      webkit_credential_new_for_certificate(certificate.pointer, WEBKIT_CREDENTIAL_PERSISTENCE_NONE))
  }

  func give(pin: String) {
    answer(webkit_credential_new_for_certificate_pin(pin, WEBKIT_CREDENTIAL_PERSISTENCE_NONE))
  }

  private func answer(_ credential: OpaquePointer?) {
    guard let pointer else { return }
    self.pointer = nil
    webkit_authentication_request_authenticate(pointer, credential)
    if let credential { webkit_credential_free(credential) }
    g_object_unref(pointer)
  }
}

/// The window passes requests on to the program that started it, and shows the user the questions that come back.
extension LoginWindow {
  func wanted(_ request: CertificateRequest, by view: WebView) {
    guard opening.options.hasCertificates, !request.host.isEmpty else { return refuse(request, by: view) }
    if request.flags == nil, let known = certificates[request.host] {
      return answer(request, of: view, with: known)
    }
    let isAsked = certificateRequests.contains {
      $0.request.host == request.host && ($0.request.flags == nil) == (request.flags == nil)
    }
    certificateRequests.append((request, view))
    if isAsked { return }
    guard let flags = request.flags else { return send(.wantsCertificate(host: request.host)) }
    send(
      .wantsPIN(
        host: request.host, wasWrong: flags.wasWrong,
        tries: flags.isLastTry ? .last : flags.leavesFewTries ? .few : nil))
  }

  /// Answers all requests of this host for a certificate.
  func give(_ certificate: ClientCertificate?, to host: String) {
    var made: TLSCertificate?
    do throws(GLibError) {
      switch certificate {
      case nil: break
      case .file(let pem)?: made = try TLSCertificate(pem: pem)
      case .token(let uri, let keyURI)?: made = try TLSCertificate(uri: uri, keyURI: keyURI)
      }
    } catch {
      send(.warning(error.message.forDisplay(limit: 200)))
    }
    certificates.updateValue(made, forKey: host)
    for (request, view) in take(from: host, { $0.flags == nil }) { answer(request, of: view, with: made) }
    resumeLoads()
  }

  private func answer(_ request: CertificateRequest, of view: WebView, with certificate: TLSCertificate?) {
    if let certificate { request.give(certificate) } else { refuse(request, by: view) }
  }

  /// Loads pages again that WebKit stopped loading, now that the certificate is known. The server's new request is answered
  /// at once, before WebKit can drop it again.
  func resumeLoads() {
    for view in views {
      guard let load = view.droppedLoad,
        certificates.keys.contains(PageAddress.bareHost(PageAddress(load.uri).host))
      else { continue }
      view.droppedLoad = nil
      // Only the first page's form is known here, so the user has to send another form again.
      if load.isOfForm, load.uri != firstPage { show(load, in: view) } else { self.load(load.uri, in: view) }
    }
  }

  func give(_ pin: String?, to host: String) {
    for (request, view) in take(from: host, { $0.flags != nil }) {
      if let pin { request.give(pin: pin) } else { refuse(request, by: view) }
    }
  }

  /// True while a page waits for a PIN.
  var waitsForPIN: Bool {
    !viewsWithoutPIN.isEmpty || certificateRequests.contains { $0.request.flags != nil }
  }

  private func refuse(_ request: CertificateRequest, by view: WebView) {
    view.hostWithoutCertificate = request.host
    request.refuse()
    if request.flags == nil { return }
    viewsWithoutPIN.append(view)
    view.tell(.failed(FailedLoad(fault: .refused(.certificate(host: request.host)))))
  }

  private func take(
    from host: String, _ isMeant: (CertificateRequest) -> Bool
  ) -> [(request: CertificateRequest, view: WebView)] {
    endQuestion()
    let answered = certificateRequests.filter { $0.request.host == host && isMeant($0.request) }
    certificateRequests.removeAll { $0.request.host == host && isMeant($0.request) }
    return answered
  }

  /// Shows a question in front of the views.
  func cover(with page: QuestionPage) {
    question = page
    blankWatch.stop()
    hiddenPageWatch.end()
    forgetDialog()
    frame?.offerBar.hide()
    keepQuestion()
    showAddress()
    showProgress()
    appear()
  }

  /// Keeps the question in front while the views change.
  func keepQuestion() {
    guard let question, let frame, !frame.isShowing(question.widget) else { return }
    frame.show(question.widget)
    question.takeFocus()
  }

  private func endQuestion() {
    guard question != nil else { return }
    question = nil
    if let view = views.last { frame?.show(failure?.page.widget ?? view.widget) }
    showAddress()
    showProgress()
  }
}
