import Foundation
import LoginWays
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Where there can be no sandbox")
  struct SandboxTests {
    /// What is missing, and what bubblewrap says about it.
    static let obstacles = [
      ("mount --bind /bin/false /usr/bin/bwrap", "bubblewrap does not work"),
      ("mount --bind /dev/null /usr/bin/bwrap", "/usr/bin/bwrap"),
      ("mount -t tmpfs none /sys", "/sys/block"),
      // In a container WebKit would go on without it.
      (
        "mount --bind /bin/false /usr/bin/bwrap && mount -t tmpfs none /run && touch /run/.containerenv",
        "bubblewrap does not work"
      ),
      // The display can still be reached, by its name in the network.
      ("mount -t tmpfs none /tmp/.X11-unix", "no socket in /tmp/.X11-unix"),
    ]

    @Test(
      "No page is shown without it, and the error says what is missing",
      arguments: chosen(obstacles, at: 1, 3, 4))
    func missing(_ obstacle: String, _ words: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", inside: Namespace.mounts(obstacle))
      #expect(await login.end() == 7, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"window_failed\""))
      #expect(login.errors.contains("the sandbox around the pages cannot be set up"), "\(login.errors)")
      #expect(login.errors.contains(words), "\(login.errors)")
      #expect(login.errors.contains("hint: install bubblewrap") != words.contains("X11"))
      #expect(desk.requests == [], "the page was never asked for")
      #expect(!login.errors.contains("started again"))
    }

    /// Ways to have WebKit go without a sandbox, or with less of one.
    static let environments: [[String: String]] = [
      ["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"], ["WEBKIT_FORCE_SANDBOX": "0"],
      ["SNAP": "/snap/code/1", "SNAP_NAME": "code", "SNAP_REVISION": "1"],
      ["WEBKIT_ENABLE_DEBUG_PERMISSIONS_IN_SANDBOX": "1"], ["container": "podman"],
      ["FLATPAK_ID": "org.example.App"],
    ]

    @Test("Whatever the caller's environment says, pages are drawn where nothing of the user's can be seen")
    func environment() async throws {
      let desk = try await Desk()
      for variables in chosen(Self.environments, at: 0, 2, 5) {
        let window = try desk.window(variables)
        try window.write(
          "{\"open\":{\"url\":\"\(desk.provider)/auth\",\"redirect_uris\":[\"https://as.example/done\"]}}\n")
        try #require(
          await eventually { window.text.contains("\"main_frame_loaded\":true") },
          "\(variables): \(window.text)")
        let process = try #require(
          Processes.all.first { $0.group == window.identifier && $0.name.hasPrefix("WebKitWeb") })
        for space in ["mnt", "pid"] {
          let apart = try Processes.namespace(space, of: process.identifier)
          #expect(apart != (try Processes.namespace(space, of: getpid())), "\(variables)")
        }
        #expect(
          !FileManager.default.fileExists(atPath: "/proc/\(process.identifier)/root\(desk.folder)/requests"),
          "\(variables)")
        try window.closeInput()
        #expect(await window.end() != nil)
      }
    }

    @Test("A sandbox that is none is noticed before anything is sent")
    func pretended() async throws {
      let desk = try await Desk()
      let pretender = desk.folder + "/bwrap"
      try "#!/bin/sh\nwhile [ $# -gt 0 ] && [ \"$1\" != -- ]; do shift; done\nshift; exec \"$@\"\n".write(
        toFile: pretender, atomically: true, encoding: .utf8)
      try Screen.run(["chmod", "755", pretender], [:])
      let login = try desk.login(
        at: "auth", inside: Namespace.mounts("mount --bind \(pretender) /usr/bin/bwrap"))
      #expect(await login.end() == 7, "\(login.errors)")
      #expect(login.errors.contains("the sandbox around the pages cannot be set up"), "\(login.errors)")
      #expect(desk.requests == [], "the page was never asked for")
    }

    @Test("Of the environment the web engine sees what it needs, and no key is written down")
    func variables() async throws {
      let desk = try await Desk()
      let window = try desk.window([
        "SSLKEYLOGFILE": desk.folder + "/keys", "SECRET": "1", "GTK_MODULES": "x", "JSC_dumpOptions": "2",
        "G_TLS_GNUTLS_PRIORITY": "NORMAL:+VERS-ALL", "LC_TIME": "C.UTF-8",
      ])
      try window.write(
        "{\"open\":{\"url\":\"\(desk.provider)/auth\",\"redirect_uris\":[\"https://as.example/done\"]}}\n")
      try #require(await eventually { window.text.contains("\"main_frame_loaded\":true") }, "\(window.text)")
      let process = try #require(
        Processes.all.first { $0.group == window.identifier && $0.name.hasPrefix("WebKitNetwork") })
      let environment = try systemText("/proc/\(process.identifier)/environ")
      let names = environment.split(separator: "\0").compactMap {
        $0.split(separator: "=").first.map(String.init)
      }
      let own = ["G_TLS_GNUTLS_PRIORITY"]
      #expect(names.filter { !WindowEnvironment.passes($0) } == own, "\(names)")
      #expect(names.contains("LC_TIME") && names.contains("HOME"))
      #expect(environment.contains(":-VERS-TLS1.1:-VERS-TLS1.0"))
    }

    @Test(
      "Without a message bus that answers a login goes on, but not where WebKit could mark the system as a Flatpak",
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
      #expect(desk.requests.isEmpty != isProtected, "no page was asked for")
    }

    @Test("A system that only looks like a Flatpak is said to, and nothing is started there")
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

extension Processes {
  /// Which namespace of a kind a process is in.
  static func namespace(_ kind: String, of process: pid_t) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/\(kind)")
  }
}

/// A part of the system that looks different to one program and what it starts.
enum Namespace {
  private static let user = getuid() == 0 ? [] : ["--map-root-user"]

  /// What makes a program see other files, as the words in front of it.
  static func mounts(_ command: String) -> [String] {
    ["/usr/bin/unshare", "--mount"] + user + ["sh", "-c", "\(command) && exec \"$@\"", "sh"]
  }

  /// What lets a program write to a copy of the system, which is gone with it. The status is 99 where there is a sign of
  /// a Flatpak in the end. Where it is protected, nothing new can be made in its root.
  static func copy(in folder: String, making file: String? = nil, isProtected: Bool = false) throws
    -> [String]
  {
    let all = folder + "/system/all"
    let steps =
      [
        "mkdir -p \(folder)/system", "mount -t tmpfs none \(folder)/system",
        "mkdir \(folder)/system/upper \(folder)/system/work \(all)",
        "mount -t overlay none -o lowerdir=/,upperdir=\(folder)/system/upper,workdir=\(folder)/system/work \(all)",
      ]
      + (try ["/proc", "/sys", "/dev", "/tmp"] + otherFileSystems()).map { "mount --rbind \($0) \(all)\($0)" }
      + (file.map { ["touch \(all)\($0)"] } ?? [])
      + (isProtected ? ["mount -o remount,ro \(all)"] : [])
    let last =
      "/usr/sbin/chroot \(all) \"$@\"; status=$?; if [ -e \(all)/.flatpak-info ]; then exit 99; fi; exit $status"
    return ["/usr/bin/unshare", "--mount"] + user
      + ["sh", "-c", "\(steps.joined(separator: " && ")) && { \(last); }", "sh"]
  }

  /// Where other file systems are from which these tests have been loaded: the programs need the same files.
  private static func otherFileSystems() throws -> [String] {
    let loaded = try systemText("/proc/self/maps").split(separator: "\n").compactMap {
      $0.split(separator: " ").dropFirst(5).first
    }
    let places = try systemText("/proc/self/mountinfo").split(separator: "\n").compactMap {
      $0.split(separator: " ").dropFirst(4).first
    }
    return places.filter { place in place != "/" && loaded.contains { $0.hasPrefix(place + "/") } }.map(
      String.init)
  }

  /// What leaves a program without a network.
  static let offline = ["/usr/bin/unshare", "--net"] + user
}
