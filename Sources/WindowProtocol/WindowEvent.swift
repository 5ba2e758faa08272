import LoginCore

/// A line from the window's program: a JSON object with one member.
package enum WindowEvent: Sendable, Equatable {
  /// The program has started.
  case ready(protocolVersion: Int64)
  /// The window shows another page, or one of its own about a failure.
  case page(Page)
  /// A page tried to navigate to a redirect URI. `mainFrame` is false for a frame inside the page, and nil if the web
  /// engine does not tell.
  case callback(uri: String, mainFrame: Bool?)
  /// The final page is loaded, or the cookies exist that end the login.
  case finalPage(uri: String, values: PageValues)
  case errorPage(uri: String, body: String?)
  /// The window is hidden, and the page needs the user.
  case loginRequired(uri: String)
  /// The window differs from what the caller wanted, and the login goes on.
  case warning(String)
  /// The window was closed, with the failure that it showed.
  case closed(by: Closer, fault: PageFault?)
  /// The user answered the question that is shown.
  case answered(Question.Answer)
  /// A server asks for the client's certificate.
  case wantsCertificate(host: String)
  /// The certificate's token asks for its PIN.
  case wantsPIN(host: String, wasWrong: Bool, tries: Tries?)
  /// The user does something in the window.
  case active
  /// The user changed the size of the window or the zoom of its pages.
  case arranged(WindowLayout)
  /// A server has been slow to answer.
  case waiting(host: String)
  /// The user wants to go on in another way.
  case switched(to: LoginWay)
  /// The page is visible.
  case painted
  /// The page is not visible, or the user says so. The program ended, to be started again with another rendering.
  case blank
  /// The program cannot go on.
  case failed(error: String, description: String)
  /// The name and version of the web engine, and the reason if it has no sandbox.
  case checked(engine: String, sandboxFault: String?)

  package struct Page: Sendable, Equatable {
    package var origin: String
    /// True if the connection is encrypted, to a host that has proven its name.
    package var isSecure: Bool
    package var isLoaded: Bool
    /// The failure that is shown instead, or that the page itself is about.
    package var fault: PageFault?

    package init(origin: String, isSecure: Bool, isLoaded: Bool, fault: PageFault? = nil) {
      self.origin = origin
      self.isSecure = isSecure
      self.isLoaded = isLoaded
      self.fault = fault
    }
  }

  /// The tries that are left before a token is locked, if it says so.
  package enum Tries: String, CaseIterable, Sendable { case few, last }

  package enum Closer: String, CaseIterable, Sendable {
    case user
    case caller
    /// The user, who only put a window out of the way that had come up by itself.
    case passerby
  }

  /// The length of the longest line that is read: a callback in which every byte is escaped.
  package static let maximumLength = 6 * Callback.maximumLength + 1_024
  /// The version that this program speaks.
  package static let protocolVersion: Int64 = 1
}

extension WindowEvent: WindowLine {
  package static let hasWords = false

  package static let cases: [WindowEvent] = [
    .ready(protocolVersion: 0), .page(Page(origin: "", isSecure: false, isLoaded: false)),
    .finalPage(uri: "", values: PageValues()), .callback(uri: "", mainFrame: nil),
    .errorPage(uri: "", body: nil), .loginRequired(uri: ""), .warning(""),
    .closed(by: .user, fault: nil), .answered(Question.Answer()), .wantsCertificate(host: ""),
    .wantsPIN(host: "", wasWrong: false, tries: nil), .active, .arranged(WindowLayout()), .waiting(host: ""),
    .switched(to: .window), .painted, .blank, .failed(error: "", description: ""),
    .checked(engine: "", sandboxFault: nil),
  ]

  package func coded(by coder: inout MemberCoder) -> (name: String, value: WindowEvent) {
    switch self {
    case .ready(let version):
      return ("ready", .ready(protocolVersion: coder.required("protocol", version, .count)))
    case .page(let page): return ("page", .page(coder.members(page)))
    case .callback(let uri, let mainFrame):
      let uri = coder.text("uri", uri)
      return ("callback", .callback(uri: uri, mainFrame: coder.valueOrNull("main_frame", mainFrame, .flag)))
    case .finalPage(let uri, let values):
      let uri = coder.text("uri", uri)
      _ = coder.valueOrNull("main_frame", true, .flag)
      return ("callback", .finalPage(uri: uri, values: coder.members(values)))
    case .errorPage(let uri, let body):
      let uri = coder.text("uri", uri)
      return ("error_page", .errorPage(uri: uri, body: coder.valueOrNull("body", body, .text)))
    case .loginRequired(let uri): return ("login_required", .loginRequired(uri: coder.text("uri", uri)))
    case .warning(let text): return ("warning", .warning(coder.text("description", text)))
    case .closed(let closer, let fault):
      let closer = coder.required("by", closer, .choice())
      return ("closed", .closed(by: closer, fault: coder.value("page_error", fault, .cases("kind"))))
    case .answered(let answer): return ("answered", .answered(coder.members(answer)))
    case .wantsCertificate(let host):
      return ("wants_certificate", .wantsCertificate(host: coder.text("host", host)))
    case .wantsPIN(let host, var wasWrong, let tries):
      let host = coder.text("host", host)
      coder.flag("wrong", &wasWrong)
      let tries = coder.value("tries", tries, .choice())
      return ("wants_pin", .wantsPIN(host: host, wasWrong: wasWrong, tries: tries))
    case .active: return ("active", self)
    case .arranged(let layout): return ("arranged", .arranged(coder.members(layout)))
    case .waiting(let host): return ("waiting", .waiting(host: coder.text("host", host)))
    case .switched(let way): return ("switch", .switched(to: coder.required("to", way, .choice())))
    case .painted: return ("painted", self)
    case .blank: return ("blank", self)
    case .failed(let error, let description):
      let error = coder.text("error", error)
      return (
        "failed", .failed(error: error, description: coder.value("description", description, .text) ?? error)
      )
    case .checked(let engine, let fault):
      let engine = coder.text("engine", engine)
      return (
        "checked", .checked(engine: engine, sandboxFault: coder.valueOrNull("sandbox_fault", fault, .text))
      )
    }
  }
}

extension WindowEvent.Page: MemberCoded {
  package init() { self.init(origin: "", isSecure: false, isLoaded: false) }

  package mutating func code(_ coder: inout MemberCoder) {
    origin = coder.value("origin", origin, .text) ?? ""
    isSecure = coder.value("secure", isSecure, .flag) ?? false
    isLoaded = coder.value("main_frame_loaded", isLoaded, .flag) ?? false
    coder.value("page_error", &fault, .cases("kind"))
  }
}
