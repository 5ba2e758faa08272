import Foundation
@testable import TestSupport
import Testing
import WindowProtocol

extension WindowTests {
  @Suite("The sandbox around pages")
  struct SandboxTests {
    /// Commands that make the sandbox fail, and the reason in the message.
    static let obstacles = [
      ("mount --bind /bin/false /usr/bin/bwrap", "bubblewrap does not work"),
      ("mount --bind /dev/null /usr/bin/bwrap", "/usr/bin/bwrap"),
      ("mount -t tmpfs none /sys", "/sys/block"),
      // In a container, WebKit would go on without a sandbox.
      (
        "mount --bind /bin/false /usr/bin/bwrap && mount -t tmpfs none /run && touch /run/.containerenv",
        "bubblewrap does not work"
      ),
      // The display can still be reached by its abstract socket.
      ("mount -t tmpfs none /tmp/.X11-unix", "no socket in /tmp/.X11-unix"),
    ]

    @Test(
      "Without the sandbox no page is shown, and the error says what is missing",
      arguments: chosen(obstacles, at: 1, 3, 4))
    func missing(_ obstacle: String, _ words: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", inside: Namespace.mounts(obstacle))
      #expect(await login.end() == 7, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"window_failed\""))
      #expect(login.errors.contains("the sandbox around the pages cannot be set up"), "\(login.errors)")
      #expect(login.errors.contains(words), "\(login.errors)")
      #expect(login.errors.contains("hint: install bubblewrap") != words.contains("X11"))
      #expect(desk.requests == [], "no page is requested")
      #expect(!login.errors.contains("is restarted"))
    }

    /// Variables that would make WebKit leave out the sandbox, or a part of it.
    static let environments: [[String: String]] = [
      ["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"], ["WEBKIT_FORCE_SANDBOX": "0"],
      ["SNAP": "/snap/code/1", "SNAP_NAME": "code", "SNAP_REVISION": "1"],
      ["WEBKIT_ENABLE_DEBUG_PERMISSIONS_IN_SANDBOX": "1"], ["container": "podman"],
      ["FLATPAK_ID": "org.example.App"],
    ]

    @Test("The caller's environment cannot turn the sandbox off")
    func environment() async throws {
      let desk = try await Desk()
      for variables in chosen(Self.environments, at: 0, 2, 5) {
        let window = try desk.window(at: "auth", variables: variables)
        try #require(await eventually { window.pagesLoaded > 0 }, "\(variables): \(window.text)")
        let process = try #require(Processes.first("WebKitWeb", inGroup: window.identifier))
        for space in ["mnt", "pid"] {
          let apart = try Processes.namespace(space, of: process)
          #expect(apart != (try Processes.namespace(space, of: getpid())), "\(variables)")
        }
        let file = "/proc/\(process)/root\(desk.folder)/requests"
        #expect(!FileManager.default.fileExists(atPath: file), "\(variables)")
        try window.closeInput()
        #expect(await window.end() != nil)
      }
    }

    @Test("A bubblewrap that starts programs without a sandbox is noticed before a request is sent")
    func pretended() async throws {
      let desk = try await Desk()
      let pretender = desk.folder + "/bwrap"
      try writeProgram(
        "#!/bin/sh\nwhile [ $# -gt 0 ] && [ \"$1\" != -- ]; do shift; done\nshift; exec \"$@\"\n",
        to: pretender)
      try Screen.run(["chmod", "755", pretender], [:])
      let login = try desk.login(
        at: "auth", inside: Namespace.mounts("mount --bind \(pretender) /usr/bin/bwrap"))
      #expect(await login.end() == 7, "\(login.errors)")
      #expect(login.errors.contains("the sandbox around the pages cannot be set up"), "\(login.errors)")
      #expect(desk.requests == [], "no page is requested")
    }

    @Test("The web engine gets only the variables that it needs, and writes no TLS keys to a file")
    func variables() async throws {
      let desk = try await Desk()
      let window = try desk.window(
        at: "auth",
        variables: [
          "SSLKEYLOGFILE": desk.folder + "/keys", "SECRET": "1", "GTK_MODULES": "x", "JSC_dumpOptions": "2",
          "G_TLS_GNUTLS_PRIORITY": "NORMAL:+VERS-ALL", "LC_TIME": "C.UTF-8",
          // A page of this machine is not asked of a proxy.
          "http_proxy": "http://127.0.0.1:1", "NO_PROXY": "corp.example",
        ])
      try #require(await eventually { window.pagesLoaded > 0 }, "\(window.text)")
      let process = try #require(Processes.first("WebKitNetwork", inGroup: window.identifier))
      let environment = try systemText("/proc/\(process)/environ")
      let names = environment.split(separator: "\0").compactMap {
        $0.split(separator: "=").first.map(String.init)
      }
      #expect(
        names.filter { !WindowEnvironment.passes($0) } == [
          "G_TLS_GNUTLS_PRIORITY", "SOUP_GSSAPI_TRUSTED_URIS",
        ], "\(names)")
      #expect(names.contains("LC_TIME") && names.contains("HOME"))
      #expect(environment.contains(":-VERS-TLS1.1:-VERS-TLS1.0"))
    }

    @Test(
      "Without a message bus a login goes on, unless WebKit could then mark the system as a Flatpak",
      arguments: chosen([true, false], telling: true))
    func buses(_ isProtected: Bool) async throws {
      let desk = try await Desk()
      let silent = try Program(
        "/usr/bin/python3",
        [
          "-c",
          "import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(9); print(); sys.stdout.flush(); sys.stdin.read()",
          desk.folder + "/silent",
        ], environment: [:], errorPath: desk.folder + "/silent-errors")
      try #require(await eventually { silent.text == "\n" }, "\(silent.errors)")
      for address in [
        "unix:path=/nobody/bus", "unix:path=/bus", "unix:path=\(desk.folder)/silent", "unix:abstract=/none",
      ] {
        let login = try desk.login(
          at: "later", variables: ["DBUS_SESSION_BUS_ADDRESS": address],
          inside: try Namespace.copy(in: desk.folder, isProtected: isProtected))
        #expect(await login.end() == (isProtected ? 0 : 7), "\(address): \(login.errors)")
        #expect(login.errors.contains("message bus does not answer"), "\(login.errors)")
        #expect(login.errors.contains("unset DBUS_SESSION_BUS_ADDRESS") != isProtected, "\(login.errors)")
      }
      #expect(desk.requests.isEmpty != isProtected)
    }

    @Test("A system with the sign of a Flatpak is refused before a page is requested")
    func falseFlatpak() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        at: "auth", inside: try Namespace.copy(in: desk.folder, making: "/.flatpak-info"))
      #expect(await login.end() == 99, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"window_failed\""))
      #expect(login.errors.contains("remove the file /.flatpak-info"), "\(login.errors)")
      #expect(!login.errors.contains("install bubblewrap"))
      #expect(desk.requests == [])
    }
  }
}
