import LoginCore
import SoupNetwork

/// The record of what the provider has seen, so that a test can find out what its program did. It has no whole secret.
struct DemoLog: Sendable {
  /// The sign-ins that brought a token, the refreshes, and the second uses of codes and of replaced refresh tokens.
  var (signIns, refreshes, reuses) = (Int64(0), Int64(0), Int64(0))
  private var requests: [JSONObject] = []

  /// Older requests are forgotten.
  private static let most = 1_000

  mutating func add(_ request: JSONObject) {
    if requests.count == Self.most { requests.removeFirst() }
    requests.append(request)
  }

  var json: JSONObject {
    [
      "sign_ins": .number(JSONNumber(signIns)), "refreshes": .number(JSONNumber(refreshes)),
      "reuses": .number(JSONNumber(reuses)), "requests": .array(requests.map { .object($0) }),
    ]
  }
}

extension DemoServer {
  /// Notes a request and its answer.
  mutating func note(_ request: HTTPServerRequest, _ answer: DemoAnswer) {
    var entry: JSONObject = [
      "at": .string(clock.now().description), "method": .string(request.method),
      "path": .string(request.path),
    ]
    let list = request.method == "POST" ? request.formParameters : request.queryParameters
    var parameters = JSONObject()
    for parameter in list?.parameters ?? [] { parameters[parameter.name] = .string(parameter.shortened) }
    if !parameters.isEmpty { entry["parameters"] = .object(parameters) }
    if let field = request[header: "Authorization"] {
      let (scheme, credentials) = field.splitOnce(at: " ")
      entry["authorization"] = .string("\(scheme) \((credentials ?? "").shortened)")
    }
    entry["status"] = answer.response.map { .number(JSONNumber(Int64($0.status))) }
    let members = answer.response.flatMap {
      $0.body.count < 10_000 ? try? JSONReader.read($0.body).object : nil
    }
    entry["error"] = members?["error"]
    if !met.isEmpty { entry["faults"] = .array(met.map { .string($0.rawValue) }) }
    log.add(entry)
  }
}

extension Parameter {
  /// The parameters that are no secrets.
  private static let plain = [
    "acr_values", "client_id", "code_challenge_method", "decision", "error", "grant_type", "login_hint",
    "max_age",
    "prompt", "redirect_uri", "resource", "response_mode", "response_type", "scope", "token_type_hint",
    "username",
  ]

  fileprivate var shortened: String {
    Self.plain.contains(name) ? value.forDisplay(limit: 500) : value.shortened
  }
}

extension String {
  /// The beginning of a secret, which is enough to tell secrets apart.
  fileprivate var shortened: String {
    utf8.count < 16 ? "…" : prefix(4).description.forDisplay(limit: 8) + "…"
  }
}
