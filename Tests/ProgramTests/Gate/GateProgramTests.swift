import Foundation
import TestSupport
import Testing

@Suite("The end of a gate, and the program that it starts", .blocking)
struct GateProgramTests {
  private func run(_ services: Services, _ options: [String], _ script: String, _ runtime: TemporaryFolder)
    throws
    -> Outcome
  {
    try services.run(
      ["gate", services.base + "/api", "--silent"] + options + ["--", "/bin/sh", "-c", script],
      ["XDG_RUNTIME_DIR": runtime.path])
  }

  @Test("The program finds the socket by a variable, and its output and its status are those of the command")
  func socket() throws {
    let (services, runtime) = (try Services.withAccount(), TemporaryFolder())
    let outcome = try run(
      services, [],
      "curl -sS --unix-socket \"$TOKENTRY_GATE_SOCKET\" http://localhost/api/x; stat -c %a \"${TOKENTRY_GATE_SOCKET%/*}\"; exit 7",
      runtime)
    #expect(outcome.output == "GET 0 - -\n700\n" && outcome.status == 7, "\(outcome)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: runtime.path).isEmpty)
  }

  @Test("A sandbox without a network and without the account reaches the server by the folder of the socket")
  func sandbox() throws {
    let (services, runtime) = (try Services.withAccount(), TemporaryFolder())
    let outcome = try run(
      services, [],
      #"""
      bwrap --unshare-all --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
        --dev /dev --bind "${TOKENTRY_GATE_SOCKET%/*}" /gate --clearenv \
        /usr/bin/curl -sS --unix-socket /gate/gate.sock http://localhost/api/x
      """#, runtime)
    #expect(outcome.output == "GET 0 - -\n" && outcome.status == 0, "\(outcome)")
  }

  @Test("At a port, the bearer is in a file that only the user can read, and in no variable")
  func bearer() throws {
    let (services, runtime) = (try Services.withAccount(), TemporaryFolder())
    let outcome = try run(
      services, ["--port", "0"],
      #"""
      bearer=$(cat "$TOKENTRY_GATE_BEARER_FILE")
      env | grep -cF -e "$bearer"; stat -c %a "$TOKENTRY_GATE_BEARER_FILE"
      curl -sS -H "Authorization: Bearer $bearer" "$TOKENTRY_GATE_URL/x"
      curl -sS -o /dev/null -w '%{http_code}\n' "$TOKENTRY_GATE_URL/x"
      """#, runtime)
    #expect(outcome.output == "0\n600\nGET 0 - -\n403\n", "\(outcome)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: runtime.path).isEmpty)
  }

  @Test("A program that cannot be started is an error, and the signals of others reach it")
  func signals() throws {
    let (services, runtime) = (try Services.withAccount(), TemporaryFolder())
    let outcome = try run(
      services, [], "trap 'echo told; exit 3' TERM; kill -TERM $PPID; while :; do sleep 0.05; done", runtime)
    #expect(outcome.output == "told\n" && outcome.status == 3, "\(outcome)")
  }

  @Test("The end of a reader is the program's own business")
  func readerOfProgram() throws {
    let (services, runtime) = (try Services.withAccount(), TemporaryFolder())
    let script = "trap 'echo told >&2' HUP; echo a; exec >/dev/null; sleep 1; exit 4"
    let outcome = try Command.run(
      [
        "/bin/sh", "-c",
        #"{ "$0" gate "$1" --silent -- /bin/sh -c "$2"; echo $? >&2; } | head -n 1"#, try Tokentry.path(),
        services.base + "/api", script,
      ],
      environment: Tokentry.environment.merging(services.environment) { $1 }
        .merging(["XDG_RUNTIME_DIR": runtime.path]) { $1 })
    #expect(outcome.output == "a\n" && outcome.messages == "4\n", "\(outcome)")
  }

  @Test("A gate ends with the reader of its answer", .timeLimit(.minutes(1)))
  func reader() throws {
    let (services, runtime) = (try Services.withAccount(), TemporaryFolder())
    let outcome = try Command.run(
      [
        "/bin/sh", "-c", #"{ "$0" gate "$1" --silent; echo $? >&2; } | head -n 1"#, try Tokentry.path(),
        services.base + "/api",
      ],
      environment: Tokentry.environment.merging(services.environment) { $1 }
        .merging(["XDG_RUNTIME_DIR": runtime.path]) { $1 })
    #expect(outcome.output.hasPrefix(#"{"socket":"#) && outcome.messages == "0\n", "\(outcome)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: runtime.path).isEmpty)
  }
}
