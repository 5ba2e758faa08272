import Foundation
import TestSupport
import Testing

/// Programs of other people, as they are, that ask for a token in their own ways.
@Suite("Other people's programs and their helpers", .blocking)
struct ForeignClientTests {
  /// What a program did.
  private struct Run {
    let status: Int32
    let output: String
    var messages: String
  }

  private let services: Services

  /// Services that take the token of one account, which is meant for all of them, and links to the program by the names
  /// that others look for.
  init() throws {
    services = try Services(prefix: "ACCESSTOKEN-")
    try services.writePreset(origins: "https://api.example")
    try services.logIn("work", ["--for", services.base, "--for", "https://iam.googleapis.com"])
    try services.accept("ACCESSTOKEN-1")
    let program = try Program.executable().path()
    try FileManager.default.createDirectory(
      atPath: services.folder + "/bin", withIntermediateDirectories: true)
    for link in ["tokentry", "docker-credential-tokentry", "keyring"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(services.folder)/bin/\(link)", withDestinationPath: program)
    }
  }

  /// Runs a script of a shell in the folder of the services; `HOST` is where they are.
  private func shell(_ script: String, _ more: [String: String] = [:]) throws -> Run {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-ec", script]
    process.currentDirectoryURL = URL(filePath: services.folder)
    process.environment = services.environment.merging([
      "PATH": services.folder + "/bin:/usr/bin:/bin", "HOST": "127.0.0.1:\(services.port)",
      "TOKENTRY_LOG": services.folder + "/helper.log",
    ]) { $1 }.merging(more) { $1 }
    let (output, messages) = (Pipe(), services.folder + "/messages")
    try Data().write(to: URL(filePath: messages))
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: URL(filePath: messages))
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Run(
      status: process.terminationStatus, output: text,
      messages: (try? String(contentsOfFile: messages, encoding: .utf8)) ?? "")
  }

  /// What both sides said, for whoever looks for a fault.
  private var log: String {
    (try? String(contentsOfFile: services.folder + "/helper.log", encoding: .utf8)) ?? ""
  }

  /// Where the programs are that Debian does not have, or has too old.
  private func programs() throws -> String {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "programs.py").path()
    let folder = String(decoding: try Program.output(of: "/usr/bin/python3", [script]), as: UTF8.self)
    return String(try #require(folder.split(separator: "\n").last))
  }

  @Test("skopeo reads a manifest with an identity token")
  func containers() throws {
    let run = try shell(
      """
      printf '{"credHelpers": {"%s": "tokentry"}}' "$HOST" >auth.json
      skopeo inspect --authfile auth.json --tls-verify=false --raw "docker://$HOST/acme/tool:1"
      """)
    #expect(run.status == 0 && run.output.contains("\"schemaVersion\": 2"), "\(run.messages)\(log)")
    #expect(services.log.contains("GET /v2/acme/tool/manifests/1"))
  }

  @Test("cargo resolves a crate of a registry that wants a token, and signs out and in")
  func crates() throws {
    let run = try shell(
      """
      mkdir -p src .cargo
      printf '[package]\\nname = "me"\\nversion = "1.0.0"\\n[dependencies]\\ndemo = { version = "1", registry = "here" }\\n' \
        >Cargo.toml
      printf '[registries.here]\\nindex = "sparse+http://%s/crates/"\\ncredential-provider = ["tokentry"]\\n' "$HOST" \
        >.cargo/config.toml
      touch src/lib.rs
      /usr/bin/cargo generate-lockfile --quiet
      /usr/bin/cargo login --registry here --quiet
      /usr/bin/cargo logout --registry here --quiet
      ! /usr/bin/cargo generate-lockfile --quiet
      """, ["CARGO_HOME": services.folder + "/cargo"])
    #expect(run.status == 0, "\(run.messages)\(log)")
    let lock = try String(contentsOfFile: services.folder + "/Cargo.lock", encoding: .utf8)
    #expect(lock.contains("name = \"demo\""))
    #expect(services.log.contains("GET /crates/de/mo/demo Bearer"))
    #expect(try services.run(["token", "--account", "work", "--silent"]).status == 8, "signed out")
  }

  @Test("pip and uv fetch a package with what keyring prints")
  func packages() throws {
    let programs = try programs()
    let run = try shell(
      """
      PYTHONPATH="\(programs)" /usr/bin/python3 -m pip --no-input --isolated download --quiet --no-deps \
        --disable-pip-version-check --keyring-provider subprocess --index-url "http://ann@$HOST/simple/" demo
      ls demo-1.0-py3-none-any.whl
      "\(programs)/bin/uv" pip install --quiet --no-config --no-cache --no-deps --target there --python /usr/bin/python3 \
        --keyring-provider subprocess --allow-insecure-host "$HOST" --index-url "http://ann@$HOST/simple/" demo
      ls there/demo.py
      """)
    #expect(run.status == 0, "\(run.messages)\(log)")
    #expect(run.output == "demo-1.0-py3-none-any.whl\nthere/demo.py\n")
    #expect(services.log.contains("GET /simple/demo/demo-1.0-py3-none-any.whl Basic ann"))
  }

  @Test("Google's library exchanges the id_token, keeps it in its file, and reads what went wrong")
  func google() throws {
    let run = try shell(
      """
      cat >who.py <<'EOF'
      import sys
      from google.auth import exceptions, pluggable
      import urllib3
      from google.auth.transport import urllib3 as transport
      source = {"executable": {"command": sys.argv[2], "timeout_millis": 10000, "output_file": sys.argv[3]}}
      credentials = pluggable.Credentials(
          "//iam.googleapis.com/locations/global/workforcePools/p/providers/q",
          "urn:ietf:params:oauth:token-type:id_token", f"http://{sys.argv[1]}/exchange", source)
      try:
          credentials.refresh(transport.Request(urllib3.PoolManager()))
          print(credentials.token)
      except exceptions.RefreshError as error:
          print("refused:", error)
      EOF
      /usr/bin/python3 who.py "$HOST" "tokentry helper google" kept.json
      /usr/bin/python3 who.py "$HOST" "tokentry helper google --account none" other.json
      ls *.json
      """, ["PYTHONPATH": try programs(), "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1"])
    #expect(run.status == 0, "\(run.messages)\(log)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "google", "\(run.output)")
    #expect(lines.dropFirst().first?.contains("code: unknown_account") == true, "\(run.output)")
    #expect(lines.last == "kept.json", "a failure leaves no file")
    let kept = try String(contentsOfFile: services.folder + "/kept.json", encoding: .utf8)
    #expect(kept.contains("\"id_token\":\"IACCESSTOKEN-1\""))
  }

  @Test("kubectl and the Python client read from a cluster")
  func kubernetes() throws {
    let run = try shell(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out certificate.pem -days 2 \
        -subj /CN=here -addext subjectAltName=IP:127.0.0.1 2>/dev/null
      cat >cluster.py <<'EOF'
      import http.server, ssl
      class Cluster(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              is_known = self.headers.get("Authorization") == "Bearer ACCESSTOKEN-1"
              body = b'{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}'
              self.send_response(200 if is_known else 401)
              self.send_header("Content-Type", "application/json")
              self.send_header("Content-Length", str(len(body)))
              self.end_headers()
              self.wfile.write(body)
      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Cluster)
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain("certificate.pem", "key.pem")
      server.socket = context.wrap_socket(server.socket, server_side=True)
      print(server.server_address[1], flush=True)
      server.serve_forever()
      EOF
      mkfifo port
      /usr/bin/python3 cluster.py >port 2>/dev/null &
      trap "kill $!" EXIT
      read -r port <port
      printf 'https://app.example/done?code=C&state=S\n' | tokentry login --provider here --client-id me --state S \
        --headless-test --navigations - --account cluster --for "127.0.0.1:$port" >/dev/null
      cat >kubeconfig <<EOF
      apiVersion: v1
      kind: Config
      current-context: here
      contexts: [{name: here, context: {cluster: here, user: me}}]
      clusters:
      - {name: here, cluster: {server: "https://127.0.0.1:$port", certificate-authority: certificate.pem}}
      users:
      - name: me
        user:
          exec:
            apiVersion: client.authentication.k8s.io/VERSION
            command: tokentry
            args: [helper, kubernetes, --access-token]
            interactiveMode: Never
            provideClusterInfo: true
      EOF
      sed s/VERSION/v1beta1/ kubeconfig >v1beta1
      kubectl --kubeconfig v1beta1 get --raw /api/v1/namespaces/default/pods
      sed 's/VERSION/v1/; s/access-token/&, --account, cluster/' kubeconfig >v1
      cat >pods.py <<'EOF'
      from kubernetes import client, config
      config.load_kube_config("v1")
      print(len(client.CoreV1Api().list_namespaced_pod("default").items))
      EOF
      /usr/bin/python3 pods.py
      """)
    #expect(run.status == 0, "\(run.messages)\(log)")
    #expect(run.output.contains("\"PodList\"") && run.output.hasSuffix("0\n"), "\(run.output)")
  }

  @Test("rclone lists a folder, and msmtp sends a mail, with what token prints")
  func commands() throws {
    let run = try shell(
      """
      rclone --config none.conf --webdav-url "http://$HOST/files" --webdav-vendor other \
        --webdav-bearer-token-command "tokentry token --account work --output token --silent" lsf :webdav:
      umask 077
      printf '%s\\n' "account default" "host 127.0.0.1" "port \(services.mailPort)" "auth xoauth2" \
        "user ann@mail.example" "from ann@mail.example" \
        'passwordeval "tokentry token --account work --output token --silent"' >msmtprc
      printf 'Subject: hello\\n\\nhello\\n' | msmtp --file=msmtprc --tls=off bob@mail.example
      """)
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.output == "a.txt\n")
    #expect(services.log.suffix(2) == ["SMTP XOAUTH2 user=ann@mail.example good", "SMTP mail"])
  }
}
