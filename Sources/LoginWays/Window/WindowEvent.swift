import LoginCore

/// What the window tells, one JSON object a line.
package enum WindowEvent: Sendable, Equatable {
  /// It is there, and speaks this version of the protocol.
  case ready(protocolVersion: Int64)
  /// It shows another page, or one of its own about a failure.
  case page(Page)
  /// A navigation to a redirect URI, which was not made. `mainFrame` is whether it was the page that wanted to
  /// go there, or a frame inside it, where that is known.
  case callback(uri: String, mainFrame: Bool?)
  /// The provider shows an error on a page of its own.
  case errorPage(uri: String, body: String?)
  /// A page stays in a window that nobody sees: somebody would have to sign in there.
  case loginRequired(uri: String)
  /// Something is not as the caller wanted it, and the login goes on all the same.
  case warning(String)
  /// It is closed; if it showed a failure, with that.
  case closed(by: Closer, fault: PageFault?)
  /// What the user says is the answer.
  case pasted(text: String)
  /// The user would rather go another way.
  case switched(to: String)
  /// Its page can be seen.
  case painted
  /// Its page cannot be seen, or so the user says: it has ended, to be started again with other rendering.
  case blank
  /// It cannot go on.
  case failed(error: String, description: String)
  /// The version of the web engine, and why there is no sandbox around pages, if there is none.
  case checked(engine: String, sandboxFault: String?)

  /// What is on the screen.
  package struct Page: Sendable, Equatable {
    /// Scheme, host and port.
    package var origin: String
    /// Whether the connection is encrypted, to a host that has proven its name.
    package var isSecure: Bool
    /// Whether it is complete.
    package var isLoaded: Bool
    /// The failure that is shown in its place, or that the page itself is about.
    package var fault: PageFault?

    package init(origin: String, isSecure: Bool, isLoaded: Bool, fault: PageFault? = nil) {
      self.origin = origin
      self.isSecure = isSecure
      self.isLoaded = isLoaded
      self.fault = fault
    }
  }

  /// Who closed the window.
  package enum Closer: String, Sendable {
    case user
    case caller
  }

  /// The longest line that is read: a callback of which every byte is escaped.
  package static let maximumLength = 6 * Callback.maximumLength + 1_024
  /// The version that is spoken here.
  package static let protocolVersion: Int64 = 1
}

extension WindowEvent {
  /// Reads a line. What is not known is nothing: later versions may say more.
  package init?(line: [UInt8]) {
    guard let member = WindowLine.member(of: line, upTo: Self.maximumLength),
      let object = member.value.object
    else { return nil }
    let text = { (name: String) in object[name]?.string }
    switch member.name {
    case "ready":
      guard case .number(let number)? = object["protocol"], let version = number.truncated else { return nil }
      self = .ready(protocolVersion: version)
    case "page":
      self = .page(
        Page(
          origin: text("origin") ?? "", isSecure: object["secure"]?.bool ?? false,
          isLoaded: object["main_frame_loaded"]?.bool ?? false,
          fault: object["page_error"]?.object.flatMap(PageFault.init)))
    case "callback":
      guard let uri = text("uri") else { return nil }
      self = .callback(uri: uri, mainFrame: object["main_frame"]?.bool)
    case "error_page":
      guard let uri = text("uri") else { return nil }
      self = .errorPage(uri: uri, body: text("body"))
    case "login_required":
      guard let uri = text("uri") else { return nil }
      self = .loginRequired(uri: uri)
    case "warning":
      guard let description = text("description") else { return nil }
      self = .warning(description)
    case "closed":
      guard let closer = text("by").flatMap(Closer.init) else { return nil }
      self = .closed(by: closer, fault: object["page_error"]?.object.flatMap(PageFault.init))
    case "pasted":
      guard let answer = text("text") else { return nil }
      self = .pasted(text: answer)
    case "switch":
      guard let way = text("to") else { return nil }
      self = .switched(to: way)
    case "painted": self = .painted
    case "blank": self = .blank
    case "failed":
      guard let error = text("error") else { return nil }
      self = .failed(error: error, description: text("description") ?? error)
    case "checked":
      guard let engine = text("engine") else { return nil }
      self = .checked(engine: engine, sandboxFault: text("sandbox_fault"))
    default: return nil
    }
  }

  /// The line, with its line feed.
  package var line: String {
    let (name, members): (String, JSONObject) =
      switch self {
      case .ready(let version): ("ready", ["protocol": .number(JSONNumber(version))])
      case .page(let page): ("page", page.json)
      case .callback(let uri, let mainFrame):
        ("callback", ["uri": .string(uri), "main_frame": mainFrame.map(JSONValue.bool) ?? .null])
      case .errorPage(let uri, let body):
        ("error_page", ["uri": .string(uri), "body": body.map(JSONValue.string) ?? .null])
      case .loginRequired(let uri): ("login_required", ["uri": .string(uri)])
      case .warning(let description): ("warning", ["description": .string(description)])
      case .closed(let closer, let fault):
        ("closed", JSONObject(["by": .string(closer.rawValue)], fault))
      case .pasted(let text): ("pasted", ["text": .string(text)])
      case .switched(let way): ("switch", ["to": .string(way)])
      case .painted: ("painted", [:])
      case .blank: ("blank", [:])
      case .failed(let error, let description):
        ("failed", ["error": .string(error), "description": .string(description)])
      case .checked(let engine, let fault):
        ("checked", ["engine": .string(engine), "sandbox_fault": fault.map(JSONValue.string) ?? .null])
      }
    var object = JSONObject()
    object[name] = .object(members)
    return object.text + "\n"
  }
}

extension WindowEvent.Page {
  fileprivate var json: JSONObject {
    JSONObject(
      ["origin": .string(origin), "secure": .bool(isSecure), "main_frame_loaded": .bool(isLoaded)], fault)
  }
}

extension JSONObject {
  /// The members, and the failure that belongs to them.
  fileprivate init(_ members: JSONObject, _ fault: PageFault?) {
    self = members
    self["page_error"] = fault.map { .object($0.json) }
  }
}
