import LoginCore
import Platform

struct KubernetesWishes: WishGroup {
  var wantsAccessToken = false

  static let rows = [
    flag(\.wantsAccessToken, "access-token", "print the access token instead of the id_token")
  ]
}

/// The credential plugin of kubectl and other clients (client.authentication.k8s.io). The request is in the environment,
/// and the answer is the id_token unless the cluster takes access tokens.
struct KubernetesHelper: HelperProtocol {
  static let name = "kubernetes"
  static let callers = "kubectl, helm and other clients of Kubernetes"
  static let settings = [".kube/config"]
  static let setUp = [
    "users: [{name: me, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: tokentry,",
    "    args: [helper, kubernetes], interactiveMode: IfAvailable, provideClusterInfo: true}}}]",
    "    in the kubeconfig, with v1beta1 for clients older than Kubernetes 1.22",
  ]

  private static let variable = "KUBERNETES_EXEC_INFO"
  private static let group = "client.authentication.k8s.io/"

  static var arguments: [Option] { KubernetesWishes.options }

  private let broker: TokenBroker
  private let version: String
  private let server: String?

  static func mayAsk(_ environment: Environment) -> Bool {
    question(environment)?["spec"]?.object?["interactive"] == true
  }

  private static func question(_ environment: Environment) -> JSONObject? {
    let text = environment[variable].map { Array($0.utf8) }
    return text.flatMap { try? JSONReader.read($0, maximumSize: TokenBroker.maximumInput) }?.object
  }

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    try broker.checkArguments([])
    _ = broker[Self.variable]  // logs it
    guard let question = Self.question(broker.shared.environment),
      question["kind"] == "ExecCredential", let version = question["apiVersion"]?.string,
      ["v1", "v1beta1"].contains(where: { (Self.group + $0).isIdentical(to: version) }),
      let specification = question["spec"]?.object
    else { throw broker.malformed }
    self.version = version
    switch specification["cluster"] {
    case nil: server = nil
    case .object(let cluster):
      guard let address = cluster["server"]?.string else { throw broker.malformed }
      server = address
    default: throw broker.malformed
    }
  }

  func text() async throws(Failure) -> String {
    var wish = broker.wish(server.map(TokenWish.Address.init(url:)))
    // Many clients do not name the cluster. The user then has to name the account.
    if wish.address == nil, wish.account == nil {
      throw Failure(
        .invalidConfiguration, "the client does not say which cluster the token is for",
        hint: "set provideClusterInfo: true beside the command, or add --account NAME to its args")
    }
    wish.needsIdentity = !broker.wishes[KubernetesWishes.self].wantsAccessToken
    let granted = try await broker.token(wish)
    let (token, end) =
      wish.needsIdentity
      ? try granted.identification()
      : (try granted.sendableToken().revealed(), granted.token.expiresAt)
    let status: JSONObject = [
      "expirationTimestamp": end.map { .string($0.description) }, "token": .string(token),
    ]
    let object: JSONObject = [
      "apiVersion": .string(version), "kind": "ExecCredential", "status": .object(status),
    ]
    return object.text + "\n"
  }
}
