import LoginCore
import SoupNetwork

/// The switches of the faults, which are safe from other sites; ``DemoProvider`` keeps other users away.
extension DemoServer {
  /// Answers a form that names the faults that are to be on, as in `curl -d denied=on -d token-500=2`. It switches all others
  /// off.
  mutating func changeFaults(
    _ request: HTTPServerRequest, _ form: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    try checkOrigin(request)
    try OAuthError.refuseRepeated(in: form)
    var faults = Faults()
    for parameter in form.parameters where parameter.value != "off" {
      let isPlain = ["", "on"].contains(parameter.value)
      do throws(Failure) {
        try faults.add(isPlain ? parameter.name : "\(parameter.name)=\(parameter.value)")
      } catch {
        let words = [error.message.description, error.hint?.text?.description].compactMap(\.self)
        throw OAuthError(.invalidRequest, words.joined(separator: "; "))
      }
    }
    (settings.faults, openAgain) = (faults, nil)
    return .redirect(to: Route.home.rawValue)
  }

  /// Forgets all tokens and the log, and behaves as at its start.
  mutating func reset(_ request: HTTPServerRequest) throws(OAuthError) -> HTTPServerResponse {
    try checkOrigin(request)
    self = DemoServer(mint: mint, clock: clock, pages: pages, settings: initial)
    return .redirect(to: Route.home.rawValue)
  }
}

extension Faults {
  /// All faults for programs. A fault that is on has `true` or its number.
  package var json: JSONObject {
    ["faults": .array(Fault.allCases.map { .object(json(of: $0)) })]
  }

  private func json(of fault: Fault) -> JSONObject {
    let state = self[fault].map { $0 == .max ? JSONValue.bool(true) : .number(JSONNumber($0)) }
    return [
      "fault": .string(fault.rawValue),
      "number": fault.number == .none ? nil : .string(fault.number.rawValue.lowercased()),
      "effect": .string(fault.effect), "on": state,
    ]
  }
}

extension Pages {
  /// The form with a switch for each fault.
  func switches(_ faults: Faults) -> HTML {
    let rows = Fault.allCases.map { fault -> HTML in
      let checked: HTML? = faults.isOn(fault) ? " checked" : nil
      return """
        <div class="switch"><input type="checkbox" id="\(fault.rawValue)" name="\(fault.rawValue)" value="on"\(checked)>
        <label for="\(fault.rawValue)">\(fault.rawValue): \(fault.effect)</label></div>
        """
    }
    return """
      <details>
      <summary>Faults</summary>
      <form method="post" action="\(Route.faults.rawValue)">
      \(HTML(rows))
      <button class="yes">Change faults</button>
      </form>
      </details>
      """
  }
}
