import LoginCore
import Wording

/// Terraform's credentials helper, and OpenTofu's (their page "Credentials Helpers"): a verb and a host in the arguments.
struct TerraformHelper: HelperProtocol {
  static let name = "terraform"
  static let link: String? = "terraform-credentials-tokentry"
  static let callers = "Terraform, OpenTofu"
  static let setUp = [
    #"credentials_helper "tokentry" {}   in ~/.terraformrc"#,
    "mkdir -p ~/.terraform.d/plugins",
    "ln -s $(command -v tokentry) ~/.terraform.d/plugins/terraform-credentials-tokentry",
  ]

  /// Not in PATH, but where its plugins are.
  static func places(in environment: Environment) -> [String] {
    guard let home = environment["HOME"] else { return [] }
    return ["", "linux_amd64/", "linux_arm64/"].map { folder in
      "\(home)/.terraform.d/plugins/\(folder)terraform-credentials-tokentry"
    }
  }

  private let desk: TokenBroker
  private let host: String

  init(_ desk: TokenBroker) throws(Failure) {
    self.desk = desk
    let words = desk.arguments
    guard words.count == 2, ["get", "store", "forget"].contains(words[0]) else { throw desk.malformed }
    // What it would keep comes from a login of its own, and what it would forget others may need.
    if words[0] != "get" { throw .helper(.notHere(caller: Self.name, words[0])) }
    host = words[1]
  }

  /// No token is no error: there may be hosts that want none.
  static func refusal(of failure: Failure) -> Refusal {
    if failure.isOfOtherServer { Refusal(output: { _ in "{}\n" }, isSaid: false, status: 0) } else { .silent }
  }

  func text() async throws(Failure) -> String {
    let account = try await desk.account(atServer: host)
    let object: JSONObject = ["token": .string(try account.sendableToken().revealed())]
    return object.text + "\n"
  }
}
