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
  case switched(to: String)
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
  package enum Tries: String, Sendable { case few, last }

  package enum Closer: String, Sendable {
    case user
    case caller
    /// The user, who only put a window out of the way that had come up by itself.
    case passerby
  }

  /// The length of the longest line that is read: a callback in which every byte is escaped.
  package static let maximumLength = 6 * Callback.maximumLength + 1_024
  /// The version that this program speaks.
  package static let protocolVersion: Int64 = 1

  /// Reads a line. Returns nil for an unknown one, which comes from a later version.
  package init?(line: [UInt8]) {
    guard let member = WindowLine.member(of: line, upTo: Self.maximumLength),
      let object = member.value.object
    else { return nil }
    let text = { (name: String) in object[name]?.string }
    let fault = object["page_error"]?.object.flatMap(PageFault.init)
    let event: WindowEvent? =
      switch member.name {
      case "ready": object["protocol"]?.truncated.map { .ready(protocolVersion: $0) }
      case "page":
        .page(
          Page(
            origin: text("origin") ?? "", isSecure: object["secure"]?.bool ?? false,
            isLoaded: object["main_frame_loaded"]?.bool ?? false, fault: fault))
      case "callback":
        text("uri").map { uri in
          PageValues(object).map { .finalPage(uri: uri, values: $0) }
            ?? .callback(uri: uri, mainFrame: object["main_frame"]?.bool)
        }
      case "error_page": text("uri").map { .errorPage(uri: $0, body: text("body")) }
      case "login_required": text("uri").map { .loginRequired(uri: $0) }
      case "warning": text("description").map { .warning($0) }
      case "closed": text("by").flatMap(Closer.init).map { .closed(by: $0, fault: fault) }
      case "answered": Question.Answer(lenient: object).map { .answered($0) }
      case "wants_certificate": text("host").map { .wantsCertificate(host: $0) }
      case "wants_pin":
        text("host").map {
          .wantsPIN(
            host: $0, wasWrong: object["wrong"]?.bool ?? false,
            tries: text("tries").flatMap(Tries.init))
        }
      case "active": .active
      case "arranged": WindowLayout(lenient: object).map { .arranged($0) }
      case "waiting": text("host").map { .waiting(host: $0) }
      case "switch": text("to").map { .switched(to: $0) }
      case "painted": .painted
      case "blank": .blank
      case "failed": text("error").map { .failed(error: $0, description: text("description") ?? $0) }
      case "checked":
        text("engine").map { .checked(engine: $0, sandboxFault: text("sandbox_fault")) }
      default: nil
      }
    guard let event else { return nil }
    self = event
  }

  /// The line, with its line feed.
  package var line: String {
    let (name, members): (String, JSONObject) =
      switch self {
      case .ready(let version): ("ready", ["protocol": .number(JSONNumber(version))])
      case .page(let page): ("page", page.json)
      case .callback(let uri, let mainFrame):
        ("callback", ["uri": .string(uri), "main_frame": mainFrame.map(JSONValue.bool) ?? .null])
      case .finalPage(let uri, let values):
        (
          "callback",
          values.json.reduce(into: ["uri": .string(uri), "main_frame": true] as JSONObject) {
            $0[$1.name] = $1.value
          }
        )
      case .errorPage(let uri, let body):
        ("error_page", ["uri": .string(uri), "body": body.map(JSONValue.string) ?? .null])
      case .loginRequired(let uri): ("login_required", ["uri": .string(uri)])
      case .warning(let description): ("warning", ["description": .string(description)])
      case .closed(let closer, let fault):
        ("closed", ["by": .string(closer.rawValue), "page_error": fault.map { .object($0.json) }])
      case .answered(let answer): ("answered", answer.json)
      case .wantsCertificate(let host): ("wants_certificate", ["host": .string(host)])
      case .wantsPIN(let host, let wasWrong, let tries):
        (
          "wants_pin",
          [
            "host": .string(host), "wrong": wasWrong ? true : nil,
            "tries": tries.map { .string($0.rawValue) },
          ]
        )
      case .active: ("active", [:])
      case .arranged(let layout): ("arranged", layout.json)
      case .waiting(let host): ("waiting", ["host": .string(host)])
      case .switched(let way): ("switch", ["to": .string(way)])
      case .painted: ("painted", [:])
      case .blank: ("blank", [:])
      case .failed(let error, let description):
        ("failed", ["error": .string(error), "description": .string(description)])
      case .checked(let engine, let fault):
        ("checked", ["engine": .string(engine), "sandbox_fault": fault.map(JSONValue.string) ?? .null])
      }
    let object: JSONObject = [name: .object(members)]
    return object.text + "\n"
  }
}

extension WindowEvent.Page {
  fileprivate var json: JSONObject {
    [
      "origin": .string(origin), "secure": .bool(isSecure), "main_frame_loaded": .bool(isLoaded),
      "page_error": fault.map { .object($0.json) },
    ]
  }
}
