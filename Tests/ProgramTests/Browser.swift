import Foundation
import TestSupport
import Testing

/// A program that acts as the user's browser, in a folder that is deleted with it.
final class Browser: Sendable {
  private let folder: String

  static let chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A script that runs `first` with the address before it opens it.
  convenience init(_ first: String = "") throws {
    try self.init(
      script: """
        #!/usr/bin/python3 -IS
        import os, sys, urllib.error, urllib.request
        address = sys.argv[1]
        open(os.path.dirname(__file__) + "/argument", "w").write(address)
        \(first)
        page = urllib.request.urlopen(address).read()
        open(os.path.dirname(__file__) + "/page", "wb").write(page)
        """)
  }

  /// A script that runs `first`, requests the address, and passes the `Location` of the redirect to the
  /// desktop, as a browser does with a private scheme.
  convenience init(handingOver first: String, with opener: String = "gio open") throws {
    try self.init(
      script: """
        #!/usr/bin/python3 -IS
        import http.client, os, subprocess, sys, time, urllib.parse
        url = urllib.parse.urlsplit(sys.argv[1])
        connection = http.client.HTTPConnection(url.netloc)
        connection.request("GET", url.path + "?" + url.query)
        location = connection.getresponse().headers["Location"]
        \(first)
        desktop = dict(os.environ, DISPLAY=":4096")
        sys.exit(subprocess.run("\(opener)".split() + [location], env=desktop).returncode)
        """)
  }

  /// Chromium without windows. It prints the last page and ends.
  convenience init(chromium: String) throws {
    try self.init(
      script: """
        #!/bin/sh
        folder=$(dirname "$0")
        exec \(chromium) --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
          --user-data-dir="$folder/profile" --dump-dom "$1" >"$folder/page"
        """)
  }

  /// Chromium with windows on a display, without which it ends. The first one started takes over the pages of the
  /// others. Its user has allowed pages of `origin` to open addresses with `scheme`.
  convenience init(chromium: String, on display: String, opening scheme: String = "", of origin: String = "")
    throws
  {
    try self.init(
      script: """
        #!/bin/sh
        mkdir -p "$(dirname "$0")/profile/Default"
        cd "$(dirname "$0")/profile/Default" && test -e Preferences || cat >Preferences <<'END'
        {"protocol_handler":{"allowed_origin_protocol_pairs":{"\(origin)":{"\(scheme)":true}}}}
        END
        exec env DISPLAY=\(display) \(chromium) --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
          --no-default-browser-check --password-store=basic --user-data-dir="$(dirname "$0")/profile" "$1"
        """)
  }

  private init(script: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let start = """
      #!/bin/sh
      folder=$(dirname "$0")
      echo >>"$folder/started"
      "$folder/script" "$@"
      status=$?
      echo >>"$folder/ended"
      exit $status
      """
    for (path, text) in [(command, start), (folder + "/script", script)] {
      try writeProgram(text, to: path)
    }
  }

  /// The browser may outlive the login, and writes into the folder until it ends.
  deinit {
    for _ in 0..<1_000 where lines("started") != lines("ended") { usleep(20_000) }
    // A killed browser leaves its socket, which is in another folder.
    let socket = folder + "/profile/SingletonSocket"
    if let place = try? FileManager.default.destinationOfSymbolicLink(atPath: socket) {
      try? FileManager.default.removeItem(at: URL(filePath: place).deletingLastPathComponent())
    }
    removeFolder(folder, afterPrograms: true)
  }

  /// How often the browser was started, and how often it has ended.
  var runs: [Int] { [lines("started"), lines("ended")] }

  private func lines(_ file: String) -> Int {
    FileManager.default.contents(atPath: "\(folder)/\(file)")?.count ?? 0
  }

  var command: String { folder + "/browse" }

  /// The address that the browser was started with.
  var argument: String? { try? String(contentsOfFile: folder + "/argument", encoding: .utf8) }

  /// The text of the last page, which the browser writes at some point.
  func page() -> String {
    var page = ""
    for _ in 0..<3_000 where !page.contains("</html>") {
      usleep(20_000)
      page = (try? String(contentsOfFile: folder + "/page", encoding: .utf8)) ?? ""
    }
    return page
  }

  /// The environment of a desktop on which this is the default browser.
  func asDesktopsOwn() throws -> [String: String] {
    let entries = folder + "/data/applications"
    try FileManager.default.createDirectory(atPath: entries, withIntermediateDirectories: true)
    try """
    [Desktop Entry]
    Type=Application
    Name=Browser
    Exec=\(command) %u
    MimeType=x-scheme-handler/http;x-scheme-handler/https;
    """.write(toFile: entries + "/test-browser.desktop", atomically: true, encoding: .utf8)
    try """
    [Default Applications]
    x-scheme-handler/http=test-browser.desktop
    x-scheme-handler/https=test-browser.desktop
    """.write(toFile: entries + "/mimeapps.list", atomically: true, encoding: .utf8)
    return [
      "DISPLAY": ":4096", "HOME": folder, "XDG_DATA_HOME": folder + "/data",
      "XDG_DATA_DIRS": folder + "/none", "XDG_CONFIG_HOME": folder + "/config", "XDG_RUNTIME_DIR": folder,
    ]
  }
}

/// A port that was free a moment ago, below the range that the system hands out.
func freePort() throws -> String {
  for _ in 0..<100 {
    let port = UInt16.random(in: 10_000..<30_000)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    // A program that another test starts at this moment has the descriptor, too, until it runs.
    var shared: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &shared, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let isFree = withUnsafeBytes(of: &address) { bytes in
      let length = socklen_t(bytes.count)
      return bytes.baseAddress.map { bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self), length) }
        == 0
    }
    if isFree { return "\(port)" }
  }
  throw POSIXError(.EADDRINUSE)
}
