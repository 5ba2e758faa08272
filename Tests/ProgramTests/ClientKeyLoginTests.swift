import Foundation
import TestSupport
import Testing

// RFC 7523 section 2.2.
@Suite("A client with a private key", .blocking)
struct ClientKeyLoginTests {
  private let folder = TemporaryFolder()

  /// Makes a key for each kind of file, and its public half.
  private static let keys = """
    import json, os, sys
    from cryptography.hazmat.primitives import serialization as forms
    from cryptography.hazmat.primitives.asymmetric import ec, rsa
    from jwt.algorithms import RSAAlgorithm
    os.umask(0o077)
    def write(name, data):
        with open(f"{sys.argv[1]}/{name}", "wb") as file:
            file.write(data)
    for name, key in (("ES256", ec.generate_private_key(ec.SECP256R1())), ("PS256", rsa.generate_private_key(65537, 2048))):
        public = key.public_key().public_bytes(forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo)
        write(name + ".pub", public)
        write(name, key.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption()))
    jwk = json.loads(RSAAlgorithm.to_jwk(key)) | {"kid": "k1", "alg": "PS256", "key_ops": ["sign"]}
    write("PS256", json.dumps(jwk).encode())
    """

  /// Verifies assertions, one a line, and prints their `jti` and `kid`.
  private static let verifier = """
    import jwt, sys
    algorithm, audience = sys.argv[2:]
    with open(f"{sys.argv[1]}/{algorithm}.pub") as file:
        key = file.read()
    for line in sys.stdin.read().split():
        claims = jwt.decode(line, key, algorithms=[algorithm], audience=audience, issuer="me",
                            options={"require": ["exp", "iat", "jti", "sub"]})
        assert claims["sub"] == "me" and claims["exp"] - claims["iat"] <= 300
        print(claims["jti"], jwt.get_unverified_header(line).get("kid"))
    """

  private func python(_ script: String, _ arguments: [String] = [], input: String = "") throws -> String {
    let run = try Command.run(
      ["/usr/bin/python3", "-c", script, folder.path] + arguments, input: input,
      environment: ["PYTHONPATH": try ForeignClients.programs(), "PATH": "/usr/bin:/bin"])
    try #require(run.status == 0, "\(run.messages)")
    return run.output
  }

  private func server() throws -> StandInServer {
    try StandInServer { request, base in
      switch request.path {
      case "/.well-known/oauth-authorization-server":
        .metadata(
          base,
          [
            "pushed_authorization_request_endpoint": "/par", "introspection_endpoint": "/introspect",
            "revocation_endpoint": "/revoke", "device_authorization_endpoint": "/device",
          ],
          more: #","require_pushed_authorization_requests":true,"code_challenge_methods_supported":["S256"]"#)
      case "/par": .json(#"{"request_uri":"urn:x","expires_in":60}"#, status: 201)
      case "/.well-known/oauth-protected-resource/mcp":
        .json(#"{"resource":"\#(base)/mcp","authorization_servers":["\#(base)"]}"#)
      case "/mcp": .json("{}", status: 401)
      case "/introspect": .json(#"{"active":true}"#)
      case "/revoke": .json("{}")
      case "/device":
        .json(
          #"{"device_code":"D","user_code":"U","verification_uri":"https://as.example/d","expires_in":60,"interval":1}"#
        )
      case "/token":
        .json(#"{"access_token":"T","token_type":"Bearer","expires_in":10,"refresh_token":"R"}"#)
      default: .json("{}", status: 404)
      }
    }
  }

  @Test(
    "Every endpoint gets assertions that another implementation verifies, each once, and accounts keep the key",
    arguments: ["ES256", "PS256"])
  func endpoints(algorithm: String) throws {
    let server = try server()
    _ = try python(Self.keys)
    var client = ["--issuer", server.base, "--client-id", "me"]
    var environment = ["TOKENTRY_STORE": "file:\(folder.path)/accounts"]
    if algorithm == "ES256" {
      client += ["--client-key-file", folder.path + "/ES256"]
    } else {
      try folder.write(#"{"client_key": \#(folder.text(of: "PS256"))}"#, to: "request")
      client += ["--options", folder.path + "/request"]
    }
    func run(_ words: [String], input: String = "") throws {
      let outcome = try Tokentry.run(words, input: input, environment: environment)
      #expect(outcome.status == 0, "\(words) \(outcome)")
      #expect(!(outcome.output + outcome.messages).contains("client_assertion"), "\(outcome)")
    }
    try run(["login"] + client + Tokentry.pasted + ["--account", "work"], input: Tokentry.callback)
    // These find the key in the account.
    try run(["token", "--account", "work", "--silent"])
    try run(["userinfo", "work"])
    try run(["logout", "--account", "work"])
    // As in the scenario of MCP's conformance suite: the API names the server, which gets only an assertion.
    let api = ["--resource", server.base + "/mcp", "--client-id", "me"] + client.suffix(2)
    try run(["login", "--grant", "client-credentials"] + api)
    environment = [:]
    try run(["login", "--grant", "device"] + client)
    let requests = server.requests.filter { !$0.path.hasPrefix("/.well-known") && $0.path != "/mcp" }
    #expect(Set(requests.map(\.path)) == ["/par", "/token", "/introspect", "/revoke", "/device"])
    #expect(requests.allSatisfy { $0.headers["authorization"] == nil && $0.form["client_id"] == "me" })
    let assertions = requests.compactMap { $0.form["client_assertion"] }
    #expect(assertions.count == requests.count)
    let verified = try python(
      Self.verifier, [algorithm, server.base], input: assertions.joined(separator: "\n"))
    let lines = Set(verified.split(separator: "\n"))
    #expect(lines.count == requests.count, "\(verified)")
    #expect(lines.allSatisfy { $0.hasSuffix(algorithm == "ES256" ? " None" : " k1") }, "\(verified)")
  }

  @Test("A key that cannot be used, or that contradicts another option, is refused before any request")
  func refused() throws {
    let server = try server()
    _ = try python(Self.keys)
    try folder.write("s", to: "secret")
    func refusal(_ options: [String]) throws -> String {
      let outcome = try Tokentry.run(
        ["login", "--grant", "client-credentials", "--issuer", server.base, "--client-id", "me"] + options)
      #expect(outcome.status == 2, "\(outcome)")
      return outcome.messages
    }
    let key = ["--client-key-file", folder.path + "/ES256"]
    #expect(
      try refusal(optionsFile(["client_authentication": "private_key_jwt"])).contains("--client-key-file"))
    #expect(try refusal(key + optionsFile(["client_authentication": "post"])).contains("contradict"))
    #expect(try refusal(key + ["--client-secret-file", folder.path + "/secret"]).contains("contradict"))
    #expect(try refusal(["--client-key-file", folder.path + "/secret"]).contains("private_key_jwt takes"))
    #expect(try refusal(["--client-key-file", folder.path + "/ES256.pub"]).contains("private_key_jwt takes"))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path + "/ES256")
    #expect(try refusal(key).contains("--client-key-file"))
    let nameless = try Tokentry.run(
      ["login", "--headless-test", "--issuer", server.base, "--client-key-file", folder.path + "/PS256"])
    #expect(nameless.status == 2 && nameless.messages.contains("by hand"), "\(nameless)")
    #expect(server.requests.allSatisfy { $0.path.hasPrefix("/.well-known") })
  }
}
