import HTMLForms
import LoginCore
import WindowProtocol

/// A page from which the headless agent does not know the way on.
struct UnansweredPage {
  let uri: String
  let status: Int
  let body: [UInt8]
  let html: HTMLPage
  /// True if the page answers a form.
  let isAnswer: Bool
  /// True if the page asks again for what the agent has sent.
  let isRepeated: Bool

  /// The failure of the login.
  var failure: Failure {
    let host = (try? Endpoint(uri))?.host ?? ""
    if status >= 400, let refusal = PageRefusal(body: body, from: host) { return refusal.failure }
    let title = html.title.flatMap { $0.isEmpty ? nil : $0.forDisplay(limit: 100) }
    let waiting = Failure.loginRequired(page: uri)
    var details = waiting.details
    details["status"] = .number(JSONNumber(Int64(status)))
    details["title"] = title.map(JSONValue.string)
    guard status >= 400 else {
      let message: Message? = title.map { "the provider shows the page \"\($0)\", which waits for the user" }
      return Failure(
        .loginRequired, message ?? waiting.message,
        hint: hint ?? noForm, details: details)
    }
    let message: Message? = title.map { "\(host) returned HTTP \(status) with the page \"\($0)\"" }
    return Failure(
      .badResponse, message ?? "\(host) returned HTTP \(status)",
      hint: hint ?? (status < 500 && !isAnswer ? .checkClient : nil), details: details,
      isRetryable: status.isPassingStatus)
  }

  /// The hint for a page without a form, with the first words that a person would see.
  private var noForm: Failure.Hint {
    html.beginning.isEmpty
      ? "the page has no form, and a headless test runs no scripts; a browser shows if it is an error, such as an unknown redirect URI"
      : "the page has no form, and a headless test runs no scripts; a browser shows if it is an error, such as an unknown redirect URI; it says: \(html.beginning, upTo: 200)"
  }

  private var hint: Failure.Hint? {
    if isRepeated { return "the provider did not accept the values that the form got" }
    // Forms for searching and for the language are seldom posted.
    let posted = html.forms.filter { $0.method == .post }
    return (posted + html.forms).lazy.compactMap(\.hint).first
  }
}

extension HTMLForm {
  /// Names the fields and buttons that wait for the user. nil if there are none.
  fileprivate var hint: Failure.Hint? {
    let pressed = buttons.map(\.parameter).filter { !$0.name.isEmpty }.map { "\($0.name)=\($0.value)" }
    let visible = fields.filter { $0.kind != .hidden }
    var filled = visible.map { "\($0.name)=\($0.kind == .password ? "@FILE" : "VALUE")" }
    // A form whose only button has no name is sent by naming any of its fields, with the value that it has. Short values
    // stay the same in the next login; long ones are nonces and the like.
    if filled.isEmpty, pressed.isEmpty {
      let known = fields.map { Parameter($0.name, $0.values.first ?? "") }
      let short = known.filter { !$0.value.isEmpty }.min { $0.value.count < $1.value.count }
      filled = (short ?? known.first).map { ["\($0.name)=\($0.value)"] } ?? []
    }
    if method == .dialog || filled.isEmpty && pressed.isEmpty { return nil }
    return .answerForm(fields: filled.shown, buttons: pressed.shown)
  }
}

extension [String] {
  fileprivate var shown: [String] { prefix(10).map { $0.forDisplay(limit: 100) } }
}
