import Foundation
import TestSupport
import Testing

/// Programs of other people, with the settings of data/doc/recipes.md. Only the servers and the account are replaced.
@Suite("Real programs and their recipes", .blocking)
struct RecipeTests {
  private let clients: ForeignClients

  init() throws { clients = try ForeignClients() }

  @Test("Mail programs sign in with a kept token")
  func mail() throws {
    func recipe(_ mark: String, for name: String, _ changes: [(String, String)]) throws -> String {
      let mine = [
        ("ann@example.org", "\(name)@mail.example"), ("ann%40gmail.com", "\(name)%40mail.example"),
        ("ann@gmail.com", "\(name)@mail.example"), ("outlook.office365.com", "127.0.0.1"),
      ]
      return try Self.recipe(mark, mine + changes)
    }
    let smtp = "localhost:\(clients.services.mailPort)"
    let run = try clients.shell(
      Self.mailScript,
      [
        "IMAP": Command.script("Helpers/imap.py"),
        "AERC": try recipe(
          "source-cred-cmd", for: "aerc",
          [("imaps+oauthbearer", "imap+oauthbearer+insecure"), ("imap.gmail.com", "127.0.0.1:PORT")]),
        "GETMAIL": try recipe(
          "[retriever]", for: "getmail", [("IMAPSSL", "IMAP"), ("use_xoauth2", "port = PORT\nuse_xoauth2")]),
        "OFFLINEIMAP": try recipe(
          "[Repository far]", for: "offlineimap",
          [("ssl = yes\nsslcacertfile = OS-DEFAULT", "ssl = no\nstarttls = no\nremoteport = PORT")]),
        "IMAPFILTER": try recipe("oauth2 = io.popen", for: "imapfilter", [("ssl = \"auto\"", "port = PORT")]),
        "SNAIL": try recipe("vput !", for: "s-nail", [("smtp.gmail.com:587", smtp)]),
        "CURL": try recipe(
          "bearer | curl", for: "curl",
          [
            ("imaps://127.0.0.1", "imap://127.0.0.1:PORT"), ("--ssl-reqd", "--ssl-reqd --cacert cert.pem"),
            ("smtp.office365.com:587", smtp),
          ]),
      ])
    #expect(run.status == 0, "\(run)\(clients.log)")
    let signedIn = Set(
      clients.services.log.filter { $0.hasSuffix(" good") }.map { $0.split(separator: " ")[2] })
    #expect(
      signedIn == [
        "user=aerc@mail.example", "user=getmail@mail.example", "user=offlineimap@mail.example",
        "user=ann@mail.example", "user=curl@mail.example", "user=s-nail@mail.example",
        "n,a=curl@mail.example,",
      ], "\(run)")
  }

  /// Each program fetches or sends one mail. getmail delivers none to root, and aerc never ends by itself.
  private static let mailScript = """
    umask 077
    mkfifo port
    /usr/bin/python3 "$IMAP" . >port 2>/dev/null &
    imap=$!
    trap "kill $imap" EXIT
    read -r port <port
    put() { printf '%s\\n' "$1" | sed "s/PORT/$port/"; }
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \\
      -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.part 2>/dev/null
    cat cert.part key.pem >cert.pem

    mkdir -p "$XDG_CONFIG_HOME/aerc"
    put "$AERC" >"$XDG_CONFIG_HOME/aerc/accounts.conf"
    TERM=xterm script -qec 'echo $$ >aerc.pid; exec aerc' /dev/null >/dev/null 2>&1 </dev/null &
    trap 'kill $imap; read -r aerc <aerc.pid && kill -KILL "$aerc"' EXIT

    mkdir -p Mail/cur Mail/new Mail/tmp
    put "$GETMAIL" >getmailrc
    getmail --getmaildir . --rcfile getmailrc | grep '1 messages' || true
    put "$OFFLINEIMAP" >offlineimaprc
    printf '[general]\\naccounts = a\\n[Account a]\\nlocalrepository = near\\nremoterepository = far\\n' >>offlineimaprc
    printf '[Repository near]\\ntype = Maildir\\nlocalfolders = near\\n' >>offlineimaprc
    timeout -s KILL 20 offlineimap -o -u quiet -c offlineimaprc
    cat near/INBOX/new/* | grep Subject
    put "$IMAPFILTER" >imapfilter.lua
    echo 'print(#mail.INBOX:select_all())' >>imapfilter.lua
    imapfilter -c imapfilter.lua
    put "$SNAIL" >mailrc
    echo hello | MAILRC=mailrc s-nail -n -S tls-ca-file=cert.pem -s hello bob@mail.example
    echo hello >mail.txt
    put "$CURL" >curl.sh
    . ./curl.sh

    for _ in $(seq 200); do grep -q user=aerc log && break; sleep 0.1; done
    """

  @Test("Programs send a kept token to a server", arguments: chosen(Row.all, at: 0, 1, 2, 3))
  func web(_ row: Row) throws {
    let base = clients.services.base
    let text = try Self.recipe(
      row.mark,
      [
        ("https://packages.example/api/", base + "/api/"), ("https://packages.example/api", base + "/api/me"),
        ("https://packages.example", base), ("//packages.example", base.replacing("http:", with: "")),
        ("GH_HOST=packages.example", "GH_HOST=127.0.0.1"),
        ("packages.example", "127.0.0.1:\(clients.services.port)"),
        ("https://files.example/remote.php/dav/files/ann", base + "/files"), ("nextcloud", "other"),
        ("https://files.example", base),
      ])
    let run = try clients.shell(
      row.script, ["RECIPE": text, "RESTIC_PASSWORD": "x", "ANSIBLE_LOCALHOST_WARNING": "0"])
    #expect(run.output.contains(row.prints), "\(run)\(clients.services.log)")
    #expect(clients.services.log.contains(row.logs), "\(run)\(clients.services.log)")
  }

  @Test("The lines of the table send the token, with the programs that are here")
  func table() throws {
    let path = try "\(ForeignClients.programs())/bin:/usr/bin:/bin"
    let run = try Command.run(
      [
        "/usr/bin/python3", "-B", Command.script("Helpers/recipe_lines.py"),
        clients.services.folder + "/lines",
        Tokentry.path(),
      ], environment: ["PATH": path])
    #expect(run.status == 0, "\(run)")
    for program in ["curl", "gh (GitHub)", "kubectl", "rclone", "skopeo", "uv, to publish", "wget"] {
      #expect(!run.output.contains("\(program): not here"), "\(run)")
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A text in the recipe.
    let mark: String
    let script: String
    var prints = ""
    let logs: String

    /// The first four are always tried. The programs of the others are large, so only `Tests/run.sh --all` installs them.
    static let all = [
      Row(
        testDescription: "HTTPie", mark: "Authorization:@", script: #"bash -ec "$RECIPE" </dev/null"#,
        prints: "GET 0",
        logs: "GET /api/me Bearer"),
      Row(
        testDescription: "gh", mark: "GH_HOST", script: #"sh -ec "$RECIPE""#, prints: "GET 0",
        logs: "GET /api/me token"),
      Row(
        testDescription: "restic", mark: "bearer_token_command",
        script: """
          printf '%s\\n' "$RECIPE" >rclone.conf
          RCLONE_CONFIG=rclone.conf timeout 20 restic -r rclone:files:backup snapshots 2>&1 || true
          """,
        prints: "Is there a repository", logs: "PROPFIND /files/backup/config Bearer"),
      Row(
        testDescription: "vdirsyncer", mark: "password.fetch =",
        script: """
          printf '%s\\n' "$RECIPE" >vdirsyncerrc
          yes | vdirsyncer -c vdirsyncerrc discover >/dev/null 2>&1 || true
          vdirsyncer -c vdirsyncerrc sync 2>/dev/null
          cat calendar.ics
          """,
        prints: "SUMMARY:hello", logs: "GET /calendar.ics Basic ann"),
      Row(
        testDescription: "npm", mark: "npm view", script: #"sh -ec "$RECIPE""#, prints: "1.0.0",
        logs: "GET /npm/demo Bearer"),
      Row(
        testDescription: "Composer", mark: "COMPOSER_AUTH=",
        script: """
          printf '{"repositories":[{"type":"composer","url":"http://%s/npm"},{"packagist.org":false}],' "$HOST" >composer.json
          echo '"config":{"secure-http":false}}' >>composer.json
          sh -ec "$RECIPE"
          """,
        prints: "acme/demo", logs: "GET /npm/packages.json Bearer"),
      Row(
        testDescription: "Ansible", mark: "ansible.builtin.uri",
        script: #"printf '%s\n' "$RECIPE" >play.yml; ansible-playbook play.yml 2>&1"#, prints: "ok=1",
        logs: "GET /api/me Bearer"),
      Row(
        testDescription: "GDAL", mark: "GDAL_HTTP_HEADER_FILE=$PWD", script: #"sh -ec "$RECIPE""#,
        prints: "Size is 1, 1",
        logs: "GET /api/map.asc Bearer"),
    ]
  }

  /// Returns the block of code in the recipes that contains a text, with changes, and with the account of this test.
  private static func recipe(_ mark: String, _ changes: [(String, String)]) throws -> String {
    let page = try String(contentsOfFile: Command.script("../../data/doc/recipes.md"), encoding: .utf8)
    let blocks = page.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 1 }.map(
      \.element)
    var block = try #require(blocks.first { $0.contains(mark) }, "no recipe has \(mark)")
    block.removeFirst(block.prefix { $0 != "\n" }.count + 1)
    for name in ["mail", "files"] {
      block = block.replacing("--account \(name)", with: "--account work")
        .replacing("\"--account\", \"\(name)\"", with: "\"--account\", \"work\"")
    }
    return changes.reduce(block) { $0.replacing($1.0, with: $1.1) }
  }
}
