import Foundation
import TestSupport
import Testing

/// Real clients of Kubernetes with a cluster on this machine.
@Suite("Clients of Kubernetes and their helper", .blocking)
struct KubernetesClientTests {
  /// Starts a cluster that runs until the shell ends, with its port in `$port`. `kubeconfig` writes the output of
  /// `tokentry helper` for the version `$1` with more arguments `$2`. `terminal` gives a program a terminal.
  static let cluster = """
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out certificate.pem -days 2 \
      -subj /CN=here -addext subjectAltName=IP:127.0.0.1 2>/dev/null
    cat >cluster.py <<'EOF'
    import http.server, ssl
    class Cluster(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            with open("good") as file:
                is_known = self.headers.get("Authorization") == "Bearer I" + file.read().strip()
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
    cat >pods.py <<'EOF'
    import sys
    from kubernetes import client, config
    try:
        config.load_kube_config(sys.argv[1])
        print(len(client.CoreV1Api().list_namespaced_pod("default").items), "pods")
    except Exception as error:
        print("refused:", getattr(error, "status", error))
    EOF
    mkfifo port
    /usr/bin/python3 cluster.py >port 2>/dev/null &
    trap "kill $!" EXIT
    read -r port <port
    printf 'https://app.example/done?code=C&state=S\\n' | tokentry login --provider here --client-id me --state S \
      --headless-test --navigations - --account cluster --for "127.0.0.1:$port" >/dev/null
    kubeconfig() {
      printf '%s\\n' "$SETUP" | sed "s|k8s.io/v1|k8s.io/$1|; s|kubernetes\\]|kubernetes$2]|; s|command: tokentry|command: ${3:-tokentry}|"
      cat <<EOF
    apiVersion: v1
    kind: Config
    current-context: here
    contexts: [{name: here, context: {cluster: here, user: me}}]
    clusters:
    - {name: here, cluster: {server: "https://127.0.0.1:$port", certificate-authority: certificate.pem}}
    EOF
    }
    pods() { kubectl --kubeconfig "$1" get --raw /api/v1/namespaces/default/pods; }
    terminal() { /usr/bin/python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$@" | tr -d '\\r'; }

    """

  private func run(_ clients: ForeignClients, _ script: String) throws -> Outcome {
    let lines = try clients.setUp("kubernetes").dropLast().joined(separator: "\n")
    let run = try clients.shell(Self.cluster + script, ["SETUP": lines, "TOKENTRY_HEADLESS_TEST": "1"])
    #expect(run.status == 0, "\(run.output)\(run.messages)\(clients.log)")
    #expect(!run.output.contains("ACCESSTOKEN") && !run.messages.contains("ACCESSTOKEN"))
    return run
  }

  /// Debian 12 has a kubectl that knows v1beta1 only, and clients refuse an answer with another version.
  @Test("kubectl and the Python client read from a cluster in each version that they know")
  func versions() throws {
    let clients = try ForeignClients()
    let run = try run(
      clients,
      """
      kubeconfig v1beta1 >v1beta1
      pods v1beta1
      echo
      kubeconfig v1 >v1
      pods v1 2>new || cat new
      echo
      kubeconfig v1 ', --account, cluster' >python
      /usr/bin/python3 pods.py python
      kubeconfig v1beta1 ', --access-token, --account, cluster' >access
      /usr/bin/python3 pods.py access
      """)
    let lines = run.output.split(separator: "\n")
    try #require(lines.count == 4, "\(run.output)\(run.messages)\(clients.log)")
    #expect(lines[0].contains("\"PodList\""), "\(run.messages)\(clients.log)")
    #expect(
      lines[1].contains("\"PodList\"") || lines[1].contains("client.authentication.k8s.io/v1\""), "\(lines)")
    #expect(lines[2] == "0 pods")
    #expect(lines[3] == "refused: 401", "this cluster demands the id_token")
  }

  @Test("kubectl at a terminal signs its user in if its version says that there is a terminal")
  func terminal() throws {
    let clients = try ForeignClients(life: 30)
    clients.services.refuseRefresh()
    try clients.services.accept("ACCESSTOKEN-101")
    let run = try run(
      clients,
      """
      cat >bin/asked <<'EOF'
      #!/bin/sh
      printf %s "$KUBERNETES_EXEC_INFO" >"$HOME/asked"
      exec tokentry "$@"
      EOF
      chmod +x bin/asked
      kubeconfig v1beta1 '' asked >v1beta1
      ! pods v1beta1 2>/dev/null
      grep -q interactive.:true asked && exit 1
      terminal kubectl --kubeconfig v1beta1 get --raw /api/v1/namespaces/default/pods
      """)
    let asked = try String(contentsOfFile: clients.services.folder + "/asked", encoding: .utf8)
    // Before Kubernetes 1.22 kubectl does not say so in this version of the protocol.
    let isTold = asked.contains("\"interactive\":true")
    #expect(run.output.contains("PodList") == isTold, "\(asked)\(run.output)\(clients.log)")
    #expect(clients.services.provider.hits("/a") == (isTold ? 1 : 0))
  }
}
