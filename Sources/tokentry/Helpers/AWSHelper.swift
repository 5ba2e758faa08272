import HTMLForms
import Language
import LoginCore

/// AWS's `credential_process`, version 1: temporary credentials of a role, for which AWS's token service takes the id_token
/// (`AssumeRoleWithWebIdentity`). The command line and the SDKs call it again when the credentials expire.
struct AWSHelper: HelperProtocol {
  static let name = "aws"
  static let callers = "the AWS command line and SDKs"
  static let settings = [".aws/config"]
  static let setUp = [
    "[profile NAME]",
    "credential_process = tokentry helper aws arn:aws:iam::ACCOUNT:role/ROLE --account NAME   in ~/.aws/config",
  ]

  private let broker: TokenBroker
  private let role: String
  private let service: Endpoint

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    guard let role = broker.arguments.first, broker.arguments.count == 1, role.hasPrefix("arn:") else {
      throw broker.lacks("the ARN of one role", hint: "such as arn:aws:iam::123456789012:role/reader")
    }
    self.role = role
    let region = broker["AWS_REGION"] ?? broker["AWS_DEFAULT_REGION"]
    let address =
      if let given = broker["AWS_ENDPOINT_URL_STS"] { given } else { try Self.address(of: role, region) }
    service = try failing(Endpoint(parsing: address)) { (reason: Message) in
      Failure(
        .invalidOption, "the address of AWS's token service, \"\(Redaction.address(address))\", is \(reason)")
    }
  }

  /// The token service of a region, or the one for all regions. China has a domain of its own.
  private static func address(of role: String, _ region: String?) throws(Failure) -> String {
    // Any other text could lead the id_token to another server.
    guard region?.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }) != false else {
      throw .takes("AWS_REGION", "the name of a region")
    }
    let domain = role.hasPrefix("arn:aws-cn:") ? "amazonaws.com.cn" : "amazonaws.com"
    return "https://sts.\(region.map { $0 + "." } ?? "")\(domain)/"
  }

  func text() async throws(Failure) -> String {
    // The token service may have the id_token of an account that was made for it, or that the caller names.
    var wish = broker.wish(broker.account == nil ? TokenWish.Address(url: service.description) : nil)
    wish.needsIdentity = true
    let granted = try await broker.token(wish)
    let request = HTTPRequest(
      post: [
        Parameter("Action", "AssumeRoleWithWebIdentity"), Parameter("Version", "2011-06-15"),
        Parameter("RoleArn", role), Parameter("RoleSessionName", sessionName(of: granted)),
        Parameter("WebIdentityToken", try granted.identification().token),
      ], to: service, accepting: "text/xml")
    return try object(of: try await broker.shared.dependencies.transport.send(request)).text + "\n"
  }

  /// The name of the session, by which AWS's records tell who has used the role.
  private func sessionName(of granted: GrantedToken) -> String {
    if let name = broker["AWS_ROLE_SESSION_NAME"] { return name }
    let claims = granted.token.claims
    let user = claims?["email"]?.string ?? claims?["sub"]?.string ?? ""
    let name = user.unicodeScalars.map { scalar in
      let isTaken = UInt8(exactly: scalar.value).map {
        $0.isLetter || $0.isDigit || "_+=,.@-".utf8.contains($0)
      }
      return isTaken == true ? Character(scalar) : "-"
    }
    return name.count < 2 ? "tokentry" : String(name.prefix(64))
  }

  private func object(of answer: HTTPResponse) throws(Failure) -> JSONObject {
    let document = XMLElement(answer.body)
    guard answer.status == 200 else {
      guard let error = document?.first("Error"), let code = error.text(of: "Code") else {
        throw Failure(
          .badResponse, "\(service.host) returned HTTP \(answer.status)",
          isRetryable: answer.status.isPassingStatus)
      }
      throw .refusal(code: code, description: error.text(of: "Message"))
    }
    var object: JSONObject = ["Version": 1]
    for name in ["AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration"] {
      let value = document?.first("Credentials")?.text(of: name)
      guard let value, !value.isEmpty, value.utf8.allSatisfy(\.isVisible) else {
        throw Failure(.badResponse, "\(service.host) sent no valid \(name)")
      }
      if ["SecretAccessKey", "SessionToken"].contains(name) { Messages.hide(value) }
      object[name] = .string(value)
    }
    return object
  }
}
