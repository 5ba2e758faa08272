import Foundation
import Testing

@testable import TestSupport

extension InteropTests {
  /// An agent at home, and programs that reach it by ssh or in a container, as data/doc/agent.md says.
  @Suite("Programs elsewhere, with the agent at home")
  struct FarSideTests {
    /// Gets a token with each program in turn, and prints a line for each.
    private static let programs = """
      test ! -e /run/user
      test -z "${DISPLAY-}${WAYLAND_DISPLAY-}${DBUS_SESSION_BUS_ADDRESS-}${XDG_RUNTIME_DIR-}"
      cd
      git -c credential.helper='!tokentry helper git' clone -q "http://$HOST/git/demo.git" 2>/dev/null
      git -C demo config remote.origin.url | sed 's|.*/git/|git/|'
      printf '{"credHelpers": {"%s": "tokentry"}}' "$HOST" >auth.json
      skopeo inspect --authfile auth.json --tls-verify=false --raw "docker://$HOST/acme/tool:1" | grep -o schemaVersion
      cat >kubeconfig <<EOF
      apiVersion: v1
      kind: Config
      current-context: here
      contexts: [{name: here, context: {cluster: here, user: me}}]
      clusters: [{name: here, cluster: {server: "https://$CLUSTER", certificate-authority: "$AUTHORITY"}}]
      users: [{name: me, user: {exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: tokentry,
        args: [helper, kubernetes, --access-token], provideClusterInfo: true}}}]
      EOF
      kubectl --kubeconfig kubeconfig get --raw /api/v1/pods
      tokentry request "http://$HOST/api/me"
      tokentry request "http://localhost:${HOST#*:}/api/me"
      tokentry login --account work --if-needed | grep -c '"refresh_token"' || true
      tokentry doctor 2>/dev/null | grep -o '"ways":\\["browser","agent"\\]'
      /usr/bin/python3 "$PAGE/python"
      sh "$PAGE/shell"
      tokentry logout --account work 2>/dev/null | grep -o '"error":"[a-z_]*"'
      tokentry token --account other 2>/dev/null | grep -o '"error":"[a-z_]*"'

      """

    @Test("git, skopeo, kubectl and programs without Tokentry get tokens over ssh, and no secret leaves home")
    func ssh() async throws {
      let far = try await FarSide()
      let agent = try await far.agent("--ask", "never")
      let session = try await far.ssh(Self.programs)
      let token = far.token
      let lines =
        [
          "git/demo.git", "schemaVersion", "pods", "GET 0 - -", "GET 0 - -", "0",
          #""ways":["browser","agent"]"#,
        ]
        + [token, token, token, #""error":"invalid_configuration""#, #""error":"unknown_account""#]
      #expect(
        session.text == lines.joined(separator: "\n") + "\n",
        "\(session.text)\(session.errors)\(agent.errors)")
      #expect(
        agent.errors.contains("ssh to build.example: token http") && agent.errors.contains(": given (work)"),
        "\(agent.errors)")
      // Another connection replaces the socket, and brings the variable.
      let command = try await far.example("command")
      #expect(command.text == "Authorization: Bearer \(token)\n", "\(command.errors)")
      let sent = try far.sent
      #expect(sent.contains(token))
      for secret in try far.secrets { #expect(!sent.contains(secret), "\(secret.prefix(4))… has left home") }
      // The connection ends in the middle of a request.
      agent.end(SIGSTOP)
      let cut = try far.startedSSH()
      try cut.write("(echo begun; tokentry token --account work; echo $?) >~/out 2>/dev/null &\n")
      #expect(await eventually { far.output.hasPrefix("begun") })
      try await Task.sleep(for: .milliseconds(200))
      cut.end(SIGKILL)
      #expect(await eventually { far.output.hasSuffix("\n9\n") }, "\(far.output)")
      agent.end(SIGCONT)
      agent.end(SIGTERM)
      #expect(await agent.end() == 0)
      let ended = try await far.ssh("tokentry accounts")
      #expect(ended.status == 9 && ended.text.contains("store_unavailable"), "\(ended.text)\(ended.errors)")
    }

    /// Signs in with each program in turn, and prints the tokens that they get.
    private static let signIns = """
      export SSL_CERT_FILE="$AUTHORITY" REQUESTS_CA_BUNDLE="$AUTHORITY" XDG_CACHE_HOME="${PACKAGES%/*/*}"
      cd
      for pair in ClientId=me AuthURL=/authorize TokenURL=/token; do
        git config --global "credential.$ISSUER.oauth${pair%=*}" "${pair#*=}"
      done
      echo "url=$ISSUER" | timeout 60 git -c credential.helper=oauth credential fill | sed -n 's/^password=//p'
      timeout 60 rclone config create far yandex client_id=me client_secret=s3cret \\
        auth_url="$ISSUER/authorize" token_url="$ISSUER/token" | grep -o 'access-[0-9]*'
      PYTHONPATH="$PACKAGES" timeout 60 /usr/bin/python3 -B - "$ISSUER" <<'EOF'
      import sys
      from google_auth_oauthlib.flow import InstalledAppFlow
      client = {"client_id": "me", "client_secret": "s3cret"}
      client |= {"auth_uri": sys.argv[1] + "/authorize", "token_uri": sys.argv[1] + "/token"}
      flow = InstalledAppFlow.from_client_config({"installed": client}, ["files"])
      print(flow.run_local_server(port=0, authorization_prompt_message=None).token)
      EOF
      PYTHONPATH="$PACKAGES" timeout 60 /usr/bin/python3 -B - "$ISSUER" <<'EOF'
      import msal, sys
      app = msal.PublicClientApplication("me", oidc_authority=sys.argv[1] + "/tenant")
      print(app.acquire_token_interactive(["files"])["access_token"])
      EOF
      timeout 60 /usr/bin/python3 -B "$TESTS/InteropTests/mcp_sdk.py" sign-in "$ISSUER/mcp"

      """

    @Test(
      "git-credential-oauth, rclone, google-auth-oauthlib, msal and the MCP SDK sign in with the browser at home"
    )
    func signIns() async throws {
      let desk = try await Desk()
      let far = try await FarSide()
      // rclone has a fixed port. If another program has it at home, the window takes the browser's place.
      let agent = try await far.agent("--ask", "never", "--open", "--browser", far.browser, on: desk)
      let session = try await far.ssh(Self.signIns)
      let tokens = session.text.split(separator: "\n")
      #expect(
        tokens.count == 5 && tokens.allSatisfy { $0.hasPrefix("access-") },
        "\(session.text)\(session.errors)\(agent.errors)")
      #expect(await eventually { far.pages >= 4 }, "\(far.pages) pages say that the answer has arrived")
      #expect(agent.errors.contains(": open accounts.example:"), "\(agent.errors)")
      // The codes pass through the agent, and the tokens, the verifiers and the clients' secrets do not.
      let sent = try far.sent
      #expect(sent.split(separator: "code-").count == 6 && !agent.errors.contains("code-"), "\(agent.errors)")
      for secret in ["access-", "refresh-", "verifier", "s3cret"] {
        #expect(!(sent + (try far.asked)).contains(secret), "\(secret) has passed")
      }
    }

    /// Starts a program that waits at the port 8400 of a network of its own.
    private static let program =
      #"timeout 60 bwrap --dev-bind / / --unshare-net "$LOGIN" 8400 "at=$ISSUER/authorize""#

    @Test("Two programs that wait at the same port over there sign in at once, in windows at home")
    func windows() async throws {
      let desk = try await Desk()
      let far = try await FarSide()
      let agent = try await far.agent("--ask", "never", "--open", "--way", "window", on: desk)
      try far.makeProviderWait()
      let session = try far.start("\(Self.program) & \(Self.program) & wait\n")
      #expect(
        await eventually { agent.errors.components(separatedBy: "open accounts.example:").count == 3 },
        "\(agent.errors)\(session.errors)")
      try far.letProviderGoOn()
      #expect(await session.end() == 0, "\(session.errors)")
      #expect(session.text.components(separatedBy: "GET /done?own=1&state=S%2B1&code=code-").count == 3)
      #expect(session.text.components(separatedBy: "done True").count == 3, "\(session.text)\(agent.errors)")
    }

    @Test("A program over there hears that the user has closed the window at home")
    func closedWindow() async throws {
      let desk = try await Desk()
      let far = try await FarSide()
      let agent = try await far.agent("--ask", "never", "--open", "--way", "window", on: desk)
      try far.makeProviderWait()
      let session = try far.start(Self.program + "\n")
      try #require(await eventually { desk.screen.shows("Sign in") }, "\(agent.errors)\(session.errors)")
      try desk.screen.close("Sign in")
      #expect(await session.end() == 0, "\(session.errors)")
      #expect(session.text.contains("GET /done?own=1&error=access_denied&"), "\(session.text)\(agent.errors)")
    }

    @Test("The agent notices over ssh that a program no longer waits for its answer")
    func goneProgram() async throws {
      let far = try await FarSide()
      let agent = try await far.agent(
        "--ask", "never", "--open", "--way", "browser", "--browser", far.browser)
      try far.makeProviderWait()
      let session = try far.start(#""$LOGIN" 8400 "at=$ISSUER/authorize" gone"# + "\n")
      #expect(
        await eventually {
          agent.errors.contains("ssh to build.example: callback: the program has ended")
        },
        "\(session.text)\(session.errors)\(agent.errors)")
      #expect(session.status == nil, "ssh still runs")
    }

    @Test(
      "codex signs in with the browser at home",
      .enabled(if: Rows.areAll, "the program has 400 MB, so only Tests/run.sh --all fetches it"))
    func codex() async throws {
      let far = try await FarSide()
      let agent = try await far.agent(
        "--ask", "never", "--open", "--way", "browser", "--browser", far.browser)
      // The server has no way to the packages' index.
      let programs = try await far.programs("coding-agents.txt")
      let session = try await far.ssh(
        """
        export CODEX_CA_CERTIFICATE="$AUTHORITY"
        timeout 60 \(programs)/codex_cli_bin/bin/codex login
        grep -o 'access-[0-9]*' ~/.codex/auth.json

        """)
      #expect(session.text.hasPrefix("access-"), "\(session.text)\(session.errors)\(agent.errors)")
      #expect(await eventually { far.pages == 1 })
    }

    @Test("A container without display and keyring gets a token, and none if the agent cannot ask")
    func container() async throws {
      let far = try await FarSide()
      var agent = try await far.agent(
        "--ask", "never", "--open", "--way", "browser", "--browser", far.browser)
      let answer = try await far.example("docker")
      #expect(answer.text == "Authorization: Bearer \(far.token)\n", "\(answer.errors)")
      #expect(agent.errors.contains(" in a container: token "), "\(agent.errors)")
      let login = try await far.contained(
        "/usr/bin/env", "BROWSER=tokentry open %s", far.login, "8400", "at=\(far.issuer)/authorize")
      #expect(login.text.contains("GET /done?own=1&state=S%2B1&code=code-"), "\(login.text)\(login.errors)")
      agent.end(SIGTERM)
      #expect(await agent.end() == 0)
      agent = try await far.agent()
      let asked = try await far.example("docker")
      #expect(asked.status == 7 && asked.text.isEmpty, "\(asked.errors)")
      #expect(asked.errors.contains("tokentry: error: "))
      let session = try await far.ssh("tokentry token --account work")
      #expect(session.status == 7 && session.text.contains(#""error":"no_display""#), "\(session.text)")
    }
  }
}

/// A user with an account at home, and a server that takes its token.
private struct FarSide {
  let folder: String
  /// The access token of the account `work`.
  let token: String
  private let server: Server
  private let authority: TestAuthority
  /// The path of the certificate of the provider and the cluster.
  private let certificate: String
  private let store: String
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .path()
  private static let clientSecret = "the-secret-of-this-client"

  init() async throws {
    folder = try "\(Servers.running().folder)/\(UUID().uuidString.prefix(8))"
    store = "file:\(folder)/accounts"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    authority = try TestAuthority()
    let identity = try authority.identity("far", for: "IP:127.0.0.1,DNS:accounts.example,DNS:auth.openai.com")
    server = try Server(
      "far.py", folder, Desk.program("tokentry"), identity.certificate, identity.key, folder: folder)
    certificate = identity.certificate
    try await server.waitUntilReady()
    let login = try Login.mock(secret: Self.clientSecret)
      .with(
        "--account", "work", "--store", store, "--for", server["services"], "--for",
        "http://" + server["services"], "--for", server["cluster"])
    let answer = try await login.headless("--form", "sub=anna")
    token = try #require(answer["access_token"], "\(answer.errors)")
    try token.write(toFile: folder + "/good", atomically: true, encoding: .utf8)
    try makeBoundAccount()
  }

  /// The private part of the key in appendix A.2 of RFC 7517.
  private static let key = "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"

  /// Makes an account for servers called localhost, with a token that is bound to a key. The provider cannot bind tokens.
  private func makeBoundAccount() throws {
    let account = try String(contentsOfFile: folder + "/accounts/work.json", encoding: .utf8)
      .replacing(#""account":"work""#, with: #""account":"bound""#)
      .replacing(server["services"], with: server["services"].replacing("127.0.0.1", with: "localhost"))
      .replacing(server["cluster"], with: "cluster.example")
      .replacing(
        #""token_type":"Bearer""#,
        with: #""token_type":"DPoP","dpop_jwk":{"kty":"EC","crv":"P-256","d":"\#(Self.key)","#
          + #""x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","#
          + #""y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}"#)
    let file = folder + "/accounts/bound.json"
    try account.write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
  }

  private var environment: [String: String] {
    [
      "HOME": "/nonexistent", "PATH": "\(folder)/home/bin:/usr/bin:/bin",
      "XDG_RUNTIME_DIR": folder + "/home/run", "SSL_CERT_FILE": authority.certificate,
    ]
  }

  private func started(_ words: [String], _ variables: [String: String] = [:]) throws -> Program {
    try Program(
      words[0], Array(words.dropFirst()), environment: environment.merging(variables) { $1 },
      errorPath: "\(folder)/\(UUID().uuidString)")
  }

  /// Starts an agent without a display.
  func agent(_ options: String...) async throws -> Program {
    try await agent([Desk.program("tokentry"), "agent", "-v", "--store", store] + options, [:])
  }

  /// Starts an agent whose windows appear on a desk. They need the provider's address, and trust its certificate.
  func agent(_ options: String..., on desk: Desk) async throws -> Program {
    let inside = [
      "/usr/bin/bwrap", "--dev-bind", "/", "/", "--ro-bind", folder + "/hosts", "/etc/hosts",
    ]
    let trust = ["--trust", "accounts.example=" + certificate]
    return try await agent(
      inside + [Desk.program("tokentry"), "agent", "-v", "--store", store] + options + trust,
      desk.environment.filter { $0.key != "XDG_RUNTIME_DIR" })
  }

  private func agent(_ words: [String], _ variables: [String: String]) async throws -> Program {
    let agent = try started(words, variables)
    _ = await eventually { agent.text.hasSuffix("\n") || agent.status != nil }
    #expect(
      agent.text == #"{"socket":"\#(folder)/home/run/tokentry-agent/agent.sock"}"# + "\n", "\(agent.errors)")
    return agent
  }

  /// Connects with the server, where the user's shell reads commands.
  func startedSSH() throws -> Program {
    try started(["/usr/bin/ssh", "-F", folder + "/home/config", "build.example"])
  }

  /// Installs programs of the tests with helpers, and returns their folder.
  func programs(_ requirements: String) async throws -> String {
    let program = try Program(
      "/usr/bin/python3", ["-B", Self.tests + "ProgramTests/Helpers/programs.py", requirements],
      environment: ProcessInfo.processInfo.environment,
      errorPath: "\(folder)/\(UUID().uuidString)")
    #expect(await program.end() == 0, "\(program.errors)")
    return program.text.trimmingCharacters(in: .newlines)
  }

  /// The file `out` in the home on the server.
  var output: String { (try? String(contentsOfFile: folder + "/there/out", encoding: .utf8)) ?? "" }

  /// Makes the provider's page wait until ``letProviderGoOn()``.
  func makeProviderWait() throws { try server.tell("clear") }

  func letProviderGoOn() throws { try server.tell("set") }

  /// Starts commands on the server.
  func start(_ commands: String) throws -> Program {
    let session = try startedSSH()
    let variables = [
      "HOST": server["services"], "CLUSTER": server["cluster"], "ISSUER": server["issuer"],
      "PACKAGES": server["packages"], "AUTHORITY": authority.certificate, "PAGE": folder + "/page",
      "TESTS": Self.tests, "LOGIN": login,
    ]
    try session.write(variables.map { "\($0)='\($1)'\n" }.joined() + commands)
    try session.closeInput()
    return session
  }

  /// Runs commands on the server.
  func ssh(_ commands: String) async throws -> Program {
    let session = try start(commands)
    _ = await session.end()
    return session
  }

  /// The address of the provider.
  var issuer: String { server["issuer"] }

  /// The path of a program whose user signs in with a browser.
  var login: String { Self.tests + "ProgramTests/Agent/far-login.py" }

  /// Runs a command in a container with the socket of the agent.
  func contained(_ command: String...) async throws -> Program {
    let socket = "\(folder)/home/run/tokentry-agent:/run/tokentry-agent:ro"
    let options = ["-v", socket, "-e", "TOKENTRY_AGENT=/run/tokentry-agent/agent.sock"]
    let program = try started([folder + "/home/bin/docker", "run"] + options + ["IMAGE"] + command)
    _ = await program.end()
    return program
  }

  /// Runs an example of the page at home.
  func example(_ name: String) async throws -> Program {
    let program = try started(["/bin/sh", "\(folder)/page/\(name)"])
    _ = await program.end()
    return program
  }

  /// All that the agent has said to programs on the server.
  var sent: String {
    get throws { try String(contentsOfFile: folder + "/sent", encoding: .utf8) }
  }

  /// All that programs on the server have said to the agent.
  var asked: String {
    get throws { try String(contentsOfFile: folder + "/asked", encoding: .utf8) }
  }

  /// The command of the browser at home, whose user signs in at once.
  var browser: String { folder + "/home/bin/browse" }

  /// The number of the browser's last pages that say that the answer has arrived.
  var pages: Int {
    let text = (try? String(contentsOfFile: folder + "/pages", encoding: .utf8)) ?? ""
    return text.components(separatedBy: "Your answer has arrived").count - 1
  }

  /// The secrets of the account, and the names of members that contain secrets.
  var secrets: [String] {
    get throws {
      let file = try Data(contentsOf: URL(filePath: folder + "/accounts/work.json"))
      let refreshToken = try #require(
        String(decoding: file, as: UTF8.self).firstMatch(of: /"refresh_token":"([^"]+)"/)?.output.1)
      return [
        String(refreshToken), Self.clientSecret, Self.key, "refresh_token", "client_secret", "dpop_jwk",
      ]
    }
  }
}
