import LoginCore
import Wording

/// The credential plugin of kubectl and of other clients (client.authentication.k8s.io): what they ask is in the
/// environment, and they want the id_token unless the cluster takes access tokens.
struct KubernetesHelper: HelperProtocol {
  static let name = "kubernetes"
  static let callers = "kubectl, helm and other clients of Kubernetes"
  static let setUp = [
    "users: [{name: me, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: tokentry,",
    "    args: [helper, kubernetes], interactiveMode: IfAvailable, provideClusterInfo: true}}}]",
    "    in the kubeconfig, with v1beta1 for clients older than Kubernetes 1.22",
  ]
  static let options: [Option] = [.accessToken]

  private static let variable = "KUBERNETES_EXEC_INFO"
  private static let group = "client.authentication.k8s.io/"

  private let desk: TokenBroker
  private let version: String
  private let server: String?

  /// Without the variable nothing is known of anybody.
  static func mayAsk(_ settings: Settings, _ environment: Environment) -> Bool {
    question(environment)?["spec"]?.object?["interactive"] == true
  }

  private static func question(_ environment: Environment) -> JSONObject? {
    let text = environment[variable].map { Array($0.utf8) }
    return text.flatMap { try? JSONReader.read($0, maximumSize: TokenBroker.maximumInput) }?.object
  }

  init(_ desk: TokenBroker) throws(Failure) {
    self.desk = desk
    try desk.checkArguments([])
    _ = desk[Self.variable]
    guard let question = Self.question(desk.run.environment),
      question["kind"] == "ExecCredential", let version = question["apiVersion"]?.string,
      ["v1", "v1beta1"].contains(where: { (Self.group + $0).isIdentical(to: version) }),
      let specification = question["spec"]?.object
    else { throw desk.malformed }
    self.version = version
    switch specification["cluster"] {
    case nil: server = nil
    case .object(let cluster):
      guard let address = cluster["server"]?.string else { throw desk.malformed }
      server = address
    default: throw desk.malformed
    }
  }

  func text() async throws(Failure) -> String {
    let account = try await account()
    let (token, end) =
      desk.settings.has(.accessToken)
      ? (try account.sendableToken().revealed(), account.token.expiresAt)
      : try await desk.identification(of: account)
    let object: JSONObject = [
      "apiVersion": .string(version), "kind": "ExecCredential",
      "status": .object(["expirationTimestamp": end.map { .string($0.description) }, "token": .string(token)]
      ),
    ]
    return object.text + "\n"
  }

  private func account() async throws(Failure) -> Account {
    if let server { return try await desk.account(at: server) }
    // Many clients do not say which cluster they mean; then whoever has set them up says whose token it is.
    guard let account = try await desk.namedAccount() else { throw .helper(.unknownCluster) }
    return account
  }
}
