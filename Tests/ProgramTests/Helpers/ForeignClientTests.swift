import Foundation
import TestSupport
import Testing

/// Programs of other people, set up as `tokentry helper` says.
@Suite("Real programs and their helpers", .blocking)
struct ForeignClientTests {
  private let clients: ForeignClients

  init() throws { clients = try ForeignClients() }

  @Test("git gets a password")
  func git() throws {
    let line = try #require(clients.setUp("git").first)
    let run = try clients.shell(
      """
      \(line)
      printf 'url=http://%s/git/demo.git\\n\\n' "$HOST" | git credential fill
      """, ["GIT_TERMINAL_PROMPT": "0"])
    #expect(
      run.status == 0 && run.output.contains("password=ACCESSTOKEN-1\n"), "\(run.messages)\(clients.log)")
  }

  @Test("skopeo reads a manifest with an identity token")
  func containers() throws {
    let line = ForeignClients.content(of: try #require(clients.setUp("docker").first))
    let run = try clients.shell(
      """
      printf %s "$SETUP" | sed "s/registry.example/$HOST/" >auth.json
      skopeo inspect --authfile auth.json --tls-verify=false --raw "docker://$HOST/acme/tool:1"
      """, ["SETUP": line])
    #expect(run.status == 0 && run.output.contains("\"schemaVersion\": 2"), "\(run.messages)\(clients.log)")
    #expect(clients.services.log.contains("GET /v2/acme/tool/manifests/1"))
  }

  @Test("cargo reads a private registry, signs out, and then gets no token")
  func crates() throws {
    let services = clients.services
    let lines = try clients.setUp("cargo").map(ForeignClients.content).joined(separator: "\n")
    let run = try clients.shell(
      """
      mkdir -p src .cargo
      printf '[package]\\nname = "me"\\nversion = "1.0.0"\\n[dependencies]\\ndemo = { version = "1", registry = "here" }\\n' \
        >Cargo.toml
      printf '%s\\nindex = "sparse+http://%s/crates/"\\n' "$SETUP" "$HOST" | sed s/NAME/here/ >.cargo/config.toml
      touch src/lib.rs
      /usr/bin/cargo generate-lockfile --quiet
      /usr/bin/cargo login --registry here --quiet
      /usr/bin/cargo logout --registry here --quiet
      ! /usr/bin/cargo generate-lockfile --quiet
      """, ["CARGO_HOME": services.folder + "/cargo", "SETUP": lines])
    #expect(run.status == 0, "\(run.messages)\(clients.log)")
    let lock = try String(contentsOfFile: services.folder + "/Cargo.lock", encoding: .utf8)
    #expect(lock.contains("name = \"demo\""))
    #expect(services.log.contains("GET /crates/de/mo/demo Bearer"))
    #expect(try services.run(["token", "--account", "work", "--silent"]).status == 8, "signed out")
  }

  @Test("pip and uv download a package")
  func packages() throws {
    let programs = try ForeignClients.programs()
    let lines = try clients.setUp("keyring")
    let (link, pip) = (lines[0], lines[1].components(separatedBy: " pip install ")[0])
    let run = try clients.shell(
      """
      \(link)
      \(pip)
      PYTHONPATH="\(programs)" /usr/bin/python3 -m pip --no-input --isolated download --quiet --no-deps \
        --disable-pip-version-check --keyring-provider subprocess --index-url "http://ann@$HOST/simple/" demo
      ls demo-1.0-py3-none-any.whl
      "\(programs)/bin/uv" pip install --quiet --no-config --no-cache --no-deps --target there --python /usr/bin/python3 \
        --keyring-provider subprocess --allow-insecure-host "$HOST" --index-url "http://ann@$HOST/simple/" demo
      ls there/demo.py
      """)
    #expect(run.status == 0, "\(run.messages)\(clients.log)")
    #expect(run.output == "demo-1.0-py3-none-any.whl\nthere/demo.py\n")
    #expect(clients.services.log.contains("GET /simple/demo/demo-1.0-py3-none-any.whl Basic ann"))
  }

  @Test("Python's keyring finds the backend by its entry point, and leaves other servers alone")
  func keyring() throws {
    let programs = try ForeignClients.programs()
    let source = Command.script("../../data/keyring")
    let run = try clients.shell(
      """
      /usr/bin/python3 -m pip --isolated --quiet --disable-pip-version-check install --no-index --no-deps --no-compile \
        --target site "\(source)"
      PYTHONPATH="site:\(programs)" /usr/bin/python3 - <<END
      import keyring
      found = keyring.get_credential("http://$HOST/simple/", None)
      print(found.username, found.password, keyring.get_password("http://$HOST/simple/", "ann"))
      print(keyring.get_password("poetry-repository-acme", "ann"))
      print(type(keyring.get_keyring()).__name__)
      END
      """)
    #expect(
      run.output == "x-token ACCESSTOKEN-1 ACCESSTOKEN-1\nNone\nTokentryKeyring\n", "\(run)\(clients.log)")
  }

  /// The programs whose helper this can be, as `doctor` lists them.
  private static func helpers(in report: String) -> Set<Substring> {
    Set(report.firstMatch(of: /helper of ([a-z, ]+)/)?.1.split(separator: ", ") ?? [])
  }

  @Test("The set-up line for Terraform works, and doctor lists the helpers that their programs can find")
  func doctor() throws {
    func found() throws -> String { try clients.shell("tokentry doctor --silent || true").output }
    let before = try found()
    let listed = Self.helpers(in: before)
    #expect(listed.isSuperset(of: ["git", "docker"]) && !listed.contains("terraform"), "\(before)")
    #expect(before.contains("`tokentry helper` says how to set it up"))
    let lines = try clients.setUp("terraform").dropFirst().joined(separator: "\n")
    let run = try clients.shell(
      """
      \(lines)
      ~/.terraform.d/plugins/terraform-credentials-tokentry get "$HOST"
      """)
    #expect(run.output == "{\"token\":\"ACCESSTOKEN-1\"}\n", "\(run.messages)")
    let after = try found()
    #expect(Self.helpers(in: after) == listed.union(["terraform"]), "\(after)")
    // The helper has to be beside its client; PATH is not enough.
    let beside = try clients.shell(
      """
      mkdir client
      ln -s "$(command -v tokentry)" client/freerdp-webview-aad-helper
      PATH=$PWD/client:$PATH tokentry doctor --silent || true
      ln -s /bin/true client/xfreerdp
      PATH=$PWD/client:$PATH tokentry doctor --silent || true
      """
    ).output.split(separator: "\n").filter { $0.contains("\"helpers\"") || $0.contains("helpers") }
    #expect(beside.map { Self.helpers(in: String($0)).contains("freerdp") } == [false, true], "\(beside)")
  }

  @Test("rclone lists a folder, and msmtp and curl sign in to a mail server, with the output of token")
  func commands() throws {
    let services = clients.services
    let run = try clients.shell(
      """
      rclone --config none.conf --webdav-url "http://$HOST/files" --webdav-vendor other \
        --webdav-bearer-token-command "tokentry token --account work --output token --silent" lsf :webdav:
      umask 077
      printf '%s\\n' "account default" "host 127.0.0.1" "port \(services.mailPort)" "auth xoauth2" \
        "user ann@mail.example" "from ann@mail.example" \
        'passwordeval "tokentry token --account work --output token --silent"' >msmtprc
      printf 'Subject: hello\\n\\nhello\\n' | msmtp --file=msmtprc --tls=off bob@mail.example
      printf 'EHLO me\\r\\nAUTH XOAUTH2 %s\\r\\nQUIT\\r\\n' "$(tokentry token --account work --output xoauth2)" |
        curl --silent --max-time 5 "telnet://127.0.0.1:\(services.mailPort)" >/dev/null || true
      """)
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.output == "a.txt\n")
    let good = "SMTP XOAUTH2 user=ann@mail.example good"
    #expect(services.log.suffix(3) == [good, "SMTP mail", good])
  }

  @Test("isync fetches a mail with the output of token, and gets no mail with a revoked token")
  func mailbox() throws {
    let server = Command.script("Helpers/imap.py")
    let run = try clients.shell(
      """
      mkfifo port
      /usr/bin/python3 "\(server)" . >port 2>/dev/null &
      trap "kill $!" EXIT
      read -r port <port
      mkdir -p mail
      cat >mbsyncrc <<EOF
      IMAPAccount mail
      Host 127.0.0.1
      Port $port
      User ann@mail.example
      AuthMechs XOAUTH2
      PassCmd "tokentry token --account work --output token --silent"
      SSLType None

      IMAPStore far
      Account mail

      MaildirStore near
      Path $PWD/mail/
      Inbox $PWD/mail/INBOX

      Channel mail
      Far :far:
      Near :near:
      Create Near
      SyncState *
      EOF
      mbsync --config mbsyncrc --quiet mail
      cat mail/INBOX/new/*
      echo other >good
      ! mbsync --config mbsyncrc --quiet mail
      """)
    #expect(run.status == 0 && run.output.contains("Subject: hello"), "\(run)")
    #expect(!run.messages.contains("ACCESSTOKEN"), "\(run.messages)")
    #expect(
      clients.services.log.suffix(2) == [
        "IMAP XOAUTH2 user=ann@mail.example good", "IMAP XOAUTH2 user=ann@mail.example bad",
      ])
  }
}

/// Services that take the token of one account, links to the program by the names that its callers look for, and a
/// shell that runs these callers.
struct ForeignClients {
  let services: Services

  /// Makes an account whose first token lives for some seconds.
  init(life: Int = 3_600) throws {
    services = try Services(life: life, prefix: "ACCESSTOKEN-")
    try services.writePreset(origins: "https://api.example")
    try services.logIn("work", ["--for", services.base, "--for", "https://iam.googleapis.com"])
    try services.accept("ACCESSTOKEN-1")
    let program = try Tokentry.path()
    for (folder, links) in [
      "bin": ["tokentry", "docker-credential-tokentry", "git-credential-tokentry"],
      "libexec/tokentry/keyring": ["keyring"], "libexec/tokentry/azd": ["azd"],
    ] {
      let folder = "\(services.folder)/\(folder)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for link in links {
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(link)", withDestinationPath: program)
      }
    }
  }

  /// Runs a shell script in the folder of the services. `HOST` is their address.
  func shell(_ script: String, _ more: [String: String] = [:]) throws -> Outcome {
    try Command.run(
      ["/bin/sh", "-ec", script],
      environment: services.environment.merging([
        "PATH": services.folder + "/bin:/usr/bin:/bin", "HOST": "127.0.0.1:\(services.port)",
        "TOKENTRY_LOG": services.folder + "/helper.log",
      ]) { $1 }.merging(more) { $1 }, in: services.folder)
  }

  /// The lines that `tokentry helper` prints to set up a program.
  func setUp(_ name: String) throws -> [String] {
    let paragraphs = try services.run(["helper"]).output.components(separatedBy: "\n\n")
    let paragraph = try #require(paragraphs.first { $0.hasPrefix(name + ": ") })
    return paragraph.split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The part of such a line that belongs into a file, without the name of the file.
  static func content(of line: String) -> String { line.components(separatedBy: "   in ")[0] }

  /// The log of both sides, for a failing test.
  var log: String {
    (try? String(contentsOfFile: services.folder + "/helper.log", encoding: .utf8)) ?? ""
  }

  /// The folder of programs that Debian lacks, or has in an old version.
  static func programs(_ requirements: String = "requirements.txt") throws -> String {
    let script = Command.script("Helpers/programs.py")
    let folder = try Command.run(["/usr/bin/python3", script, requirements]).output
    return String(try #require(folder.split(separator: "\n").last))
  }
}
