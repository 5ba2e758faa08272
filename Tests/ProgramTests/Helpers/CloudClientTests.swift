import Foundation
import TestSupport
import Testing

/// go and the libraries of clouds, which start the command line of their cloud by its name.
@Suite("go, Azure's and Databricks' libraries and their helpers", .blocking)
struct CloudClientTests {
  /// Starts a proxy of Go modules that takes the token in `good`, with its port in `$port`, and makes an account for it.
  /// `fetch` downloads a module.
  private static let modules = """
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out certificate.pem -days 2 \
      -subj /CN=here -addext subjectAltName=IP:127.0.0.1 2>/dev/null
    cat >modules.py <<'EOF'
    import http.server, io, ssl, zipfile
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as module:
        module.writestr("example.com/demo@v1.0.0/go.mod", "module example.com/demo\\n")
    FILES = {"info": b'{"Version":"v1.0.0"}', "mod": b"module example.com/demo\\n", "zip": archive.getvalue()}
    class Proxy(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            with open("good") as file:
                is_known = self.headers.get("Authorization") == "Bearer " + file.read().strip()
            body = FILES[self.path.rsplit(".", 1)[1]] if is_known else b"no"
            self.send_response(200 if is_known else 401)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("certificate.pem", "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    EOF
    mkfifo port
    /usr/bin/python3 modules.py >port 2>/dev/null &
    trap "kill $!" EXIT
    read -r port <port
    export SSL_CERT_FILE=$PWD/certificate.pem GOSUMDB=off GOFLAGS=-modcacherw GOTOOLCHAIN=local GOTELEMETRY=off
    eval "$(printf %s "$SETUP" | sed "s/modules.example/127.0.0.1:$port/")"
    fetch() { "$PROGRAMS/go/bin/go" mod download "$@" example.com/demo@v1.0.0; }

    """

  private func run(_ name: String, _ clients: ForeignClients, _ script: String) throws -> Outcome {
    let programs = try ForeignClients.programs()
    let setUp = try clients.setUp(name)[0]
    let run = try clients.shell(
      script, ["SETUP": setUp, "PROGRAMS": programs, "PYTHONPATH": programs, "PYTHONDONTWRITEBYTECODE": "1"])
    #expect(run.status == 0, "\(run)\(clients.log)")
    #expect(!(run.output + run.messages).contains("ACCESSTOKEN"), "\(run)")
    return run
  }

  @Test("go downloads a private module, and says with -x why there is no token")
  func go() throws {
    let clients = try ForeignClients(life: 30)
    try clients.services.accept("ACCESSTOKEN-2")
    let run = try run(
      "go", clients,
      Self.modules + """
        ! fetch 2>none
        grep -q 401 none
        printf 'https://app.example/done?code=C&state=S\\n' | tokentry login --provider here --client-id me --state S \
          --headless-test --navigations - --account modules --for "127.0.0.1:$port" >/dev/null
        fetch -json
        echo other >good
        GOMODCACHE=$PWD/other
        export GOMODCACHE
        ! fetch 2>old
        grep -q 401 old
        """)
    #expect(run.output.contains("\"Version\": \"v1.0.0\""), "\(run)\(clients.log)")
    let others = try ForeignClients(life: 30)
    others.services.refuseRefresh()
    let refused = try self.run(
      "go", others,
      Self.modules + """
        printf 'https://app.example/done?code=C&state=S\\n' | tokentry login --provider here --client-id me --state S \
          --headless-test --navigations - --account modules --for "127.0.0.1:$port" >/dev/null
        ! fetch -x
        """)
    #expect(refused.messages.contains("the account modules needs a new sign-in"), "\(refused)")
    #expect(others.services.provider.hits("/a") == 0)
  }

  @Test(
    "Azure's library gets a token for the resource in its scope, and otherwise goes on or shows the reason")
  func azure() throws {
    let clients = try ForeignClients(life: 30)
    try clients.services.accept("ACCESSTOKEN-2")
    let script = """
      \(try clients.setUp("azd")[0])
      cat >who.py <<'EOF'
      import sys, urllib.request
      from azure.core.exceptions import ClientAuthenticationError
      from azure.identity import AzureDeveloperCliCredential
      for scope in sys.argv[1:]:
          try:
              token = AzureDeveloperCliCredential().get_token(scope).token
              request = urllib.request.Request(scope.replace("/.default", "/api/x"), headers={"Authorization": f"Bearer {token}"})
              print(urllib.request.urlopen(request).read().decode(), end="")
          except ClientAuthenticationError as error:
              print(type(error).__name__, error.message)
      EOF
      PATH=$FOLDER:$PATH /usr/bin/python3 who.py "http://$HOST/.default" https://other.example/.default
      """
    let output = try run("azd", clients, script).output.split(separator: "\n")
    try #require(output.count == 2, "\(output)\(clients.log)")
    #expect(output[0] == "GET 0 - -")
    // Other credentials are tried after this one.
    #expect(output[1].hasPrefix("CredentialUnavailableError"), "\(output)")
    let others = try ForeignClients(life: 30)
    others.services.refuseRefresh()
    let refused = try run("azd", others, script)
    #expect(
      refused.output.contains("ClientAuthenticationError tokentry: error: the account work needs a new"))
    #expect(others.services.provider.hits("/a") == 0)
  }

  @Test("Databricks' library calls an API, and otherwise goes on or shows the reason")
  func databricks() throws {
    let clients = try ForeignClients(life: 30)
    try clients.services.accept("ACCESSTOKEN-2")
    let script = """
      cat >who.py <<'EOF'
      import os, sys
      from databricks.sdk.core import ApiClient, Config
      for host in sys.argv[1:]:
          try:
              config = Config(host=host, auth_type="databricks-cli")
              print(ApiClient(config).do("GET", "/api/x", raw=True)["contents"].read().decode(), end="")
          except ValueError as error:
              print("refused:", str(error).splitlines()[0])
          # The others find the link in their PATH.
          os.environ.pop("DATABRICKS_CLI_PATH", None)
      EOF
      eval "$SETUP"
      mkdir -p there
      ln -s "$(command -v tokentry)" there/databricks
      PATH=$PWD/there:$PATH /usr/bin/python3 who.py "http://$HOST" "http://$HOST" "http://localhost:${HOST#*:}"
      """
    let output = try run("databricks", clients, script).output.split(separator: "\n")
    try #require(output.count == 3, "\(output)\(clients.log)")
    #expect(output[0] == "GET 0 - -" && output[1] == output[0])
    #expect(output[2].hasPrefix("refused:"), "\(output)")
    let others = try ForeignClients(life: 30)
    others.services.refuseRefresh()
    let refused = try run("databricks", others, script)
    #expect(refused.output.contains("the account work needs a new sign-in"), "\(refused)")
    #expect(others.services.provider.hits("/a") == 0)
  }
}
