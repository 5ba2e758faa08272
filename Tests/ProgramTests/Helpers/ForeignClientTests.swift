import Foundation
import TestSupport
import Testing

/// Programs of other people, as they are, that ask for a token in their own ways, set up as `tokentry helper` says it.
@Suite("Other people's programs and their helpers", .blocking)
struct ForeignClientTests {
  private let clients: ForeignClients

  init() throws { clients = try ForeignClients() }

  @Test("git fills in what the helper says")
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

  @Test("cargo resolves a crate of a registry that wants a token, and signs out and in")
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

  @Test("pip and uv fetch a package with what keyring prints")
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

  @Test("The line for Terraform puts the helper where it looks, and the doctor sees who finds theirs")
  func doctor() throws {
    func found() throws -> String { try clients.shell("tokentry doctor --silent || true").output }
    let before = try found()
    #expect(before.contains("helper of git, docker, cargo, kubernetes, google, headers\""), "\(before)")
    #expect(before.contains("how to set up bazel, terraform, keyring, freerdp"))
    let lines = try clients.setUp("terraform").dropFirst().joined(separator: "\n")
    let run = try clients.shell(
      """
      \(lines)
      ~/.terraform.d/plugins/terraform-credentials-tokentry get "$HOST"
      """)
    #expect(run.output == "{\"token\":\"ACCESSTOKEN-1\"}\n", "\(run.messages)")
    let after = try found()
    #expect(
      after.contains("helper of git, docker, cargo, terraform, kubernetes, google, headers\""), "\(after)")
    // Beside its client, and not anywhere in PATH.
    let beside = try clients.shell(
      """
      mkdir client
      ln -s "$(command -v tokentry)" client/freerdp-webview-aad-helper
      PATH=$PWD/client:$PATH tokentry doctor --silent || true
      ln -s /bin/true client/xfreerdp
      PATH=$PWD/client:$PATH tokentry doctor --silent || true
      """
    ).output.split(separator: "\n").filter { $0.contains("\"helpers\"") || $0.contains("helpers") }
    #expect(beside.map { $0.contains("google, freerdp, headers") } == [false, true], "\(beside)")
  }

  @Test("rclone lists a folder, and msmtp sends a mail, with what token prints")
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
      """)
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.output == "a.txt\n")
    #expect(services.log.suffix(2) == ["SMTP XOAUTH2 user=ann@mail.example good", "SMTP mail"])
  }
  @Test("isync fetches a mail with what token prints, and none when the token is no longer taken")
  func mailbox() throws {
    let server = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "imap.py").path()
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
    #expect(run.status == 0 && run.output.contains("Subject: hello"), "\(run.output)\(run.messages)")
    #expect(!run.messages.contains("ACCESSTOKEN"), "\(run.messages)")
    #expect(
      clients.services.log.suffix(2) == [
        "IMAP XOAUTH2 user=ann@mail.example good", "IMAP XOAUTH2 user=ann@mail.example bad",
      ])
  }
}
