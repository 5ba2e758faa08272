import Language
import LoginCore
import Platform

/// The credentials helper of Terraform and OpenTofu ("Credentials Helpers" in their documentation): a verb and a host as
/// arguments.
struct TerraformHelper: HelperProtocol {
  static let name = "terraform"
  static let link: String? = "terraform-credentials-tokentry"
  static let callers = "Terraform, OpenTofu"
  static let settings = [".terraformrc"]
  static let setUp = [
    #"credentials_helper "tokentry" {}   in ~/.terraformrc"#,
    "mkdir -p ~/.terraform.d/plugins",
    "ln -sf $(command -v tokentry) ~/.terraform.d/plugins/terraform-credentials-tokentry",
  ]

  /// Terraform searches its folders for plugins, not `PATH`.
  static func places(in environment: Environment) -> [String] {
    guard let home = environment["HOME"] else { return [] }
    return ["", "linux_amd64/", "linux_arm64/"].map { folder in
      "\(home)/.terraform.d/plugins/\(folder)terraform-credentials-tokentry"
    }
  }

  private let broker: TokenBroker
  private let host: String

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    let words = broker.arguments
    guard words.count == 2, ["get", "store", "forget"].contains(words[0]) else { throw broker.malformed }
    // `store` saves a token of Terraform's own login, and other programs may need a token that it would `forget`.
    if words[0] != "get" { throw .unsupported(words[0], by: Self.name) }
    host = words[1]
    if Destination.all(ofHost: host).isEmpty {
      throw Failure(
        .invalidOption, "\(Self.name): \"\(Redaction.given(host), upTo: 100)\" is not the name of a host")
    }
  }

  /// A host without a token is not an error, because not every host needs one.
  static func refusal(of failure: Failure) -> Refusal {
    if failure.isOfOtherServer { Refusal(output: { _ in "{}\n" }, isSaid: false, status: 0) } else { .silent }
  }

  func text() async throws(Failure) -> String {
    let granted = try await broker.token(atServer: host)
    let object: JSONObject = ["token": .string(try granted.sendableToken().revealed())]
    return object.text + "\n"
  }
}
