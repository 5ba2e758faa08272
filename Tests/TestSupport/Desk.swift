import Foundation
import Testing

/// The program that runs the test providers of all desks. Starting Python for each would take longer than its work.
private final class StandIn: Sendable {
  static let shared = Result { try StandIn() }

  private let program: Program

  private init() throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "stand-in.py").path()
    program = try Program(
      "/usr/bin/python3", ["-I", "-S", script], environment: ["PATH": "/usr/bin:/bin"],
      errorPath: Screen.resultPath("stand-in.log"))
  }

  /// Starts a provider that logs its requests into a file, and returns its port.
  func open(_ log: String, certificate: String) async throws -> String {
    try program.write("open\t\(log)\t\(certificate)\n")
    let answer = { self.program.text.split(separator: "\n").first { $0.hasPrefix(log + "\t") } }
    try #require(await eventually { answer() != nil }, "no provider: \(program.errors)")
    return String(answer()?.split(separator: "\t").last ?? "")
  }

  func close(_ log: String) throws { try program.write("close\t\(log)\n") }
}

/// Everything that a login with the window needs: a display, a provider, an empty home and the two programs.
final class Desk: Sendable {
  /// The display.
  let seat: any Seat
  let folder: String
  /// The address of the provider.
  let provider: String

  init(
    on desktop: Desktop = .x11, tls: Bool = false, size: String = "640x760",
    layout: Compositor.Layout = .floating
  ) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "desk-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder + "/home", withIntermediateDirectories: true)
    seat =
      desktop == .x11
      ? try await Screen(folder: folder, size: size)
      : try await Compositor(.sway, folder: folder, layout: layout, size: size)
    let port = try await StandIn.shared.get()
      .open(folder + "/requests", certificate: tls ? try Self.makeCertificate(in: folder) : "")
    provider = "\(tls ? "https" : "http")://127.0.0.1:\(port)"
    Evidence.current?.add(self)
  }

  /// The X11 display, which can do more than a ``Seat``.
  var screen: Screen {
    guard let screen = seat as? Screen else { preconditionFailure("this desk has a Wayland display") }
    return screen
  }

  deinit {
    try? StandIn.shared.get().close(folder + "/requests")
    seat.end()
    removeFolder(folder)
  }

  /// The requests to the provider: method, path and `Accept-Language`.
  var requests: [String] {
    ((try? String(contentsOfFile: folder + "/requests", encoding: .utf8)) ?? "").split(separator: "\n").map(
      String.init)
  }

  /// Lets pages continue that wait for the test.
  func letGo() throws {
    try "".write(toFile: folder + "/go", atomically: false, encoding: .utf8)
  }

  /// The files in the home, without those of the system's libraries.
  var filesAtHome: [String] {
    (FileManager.default.enumerator(atPath: folder + "/home")?.compactMap { $0 as? String } ?? []).filter {
      name in
      ![".cache", ".cache/fontconfig", ".cache/mesa_shader_cache", ".config", ".config/dconf"].contains(name)
    }
  }

  var environment: [String: String] {
    // An input method of the desktop, which GTK loads without being asked, would write into the home.
    [
      "PATH": "/usr/bin:/bin", "HOME": folder + "/home", "LANG": "de_AT.UTF-8",
      "TEXTDOMAINDIR": "/nonexistent",
      "XDG_RUNTIME_DIR": folder, "GDK_BACKEND": "x11", "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
      "GTK_IM_MODULE": "gtk-im-context-simple", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
      "TOKENTRY_CLIENT_SECRET": "hidden",
    ].merging(seat.variables) { $1 }
  }

  /// Starts a login whose first page is `page` of the provider.
  func login(
    at page: String, redirect: String = "https://oauth.vk.com/blank.html", _ options: String...,
    more: [String] = [], variables: [String: String] = [:], inside words: [String] = []
  ) throws -> Program {
    let address = page.contains("://") ? page : "\(provider)/\(page)"
    let words =
      words + [
        try Self.program("tokentry"), "login", "-vv", "--endpoint", "authorization=\(address)",
        "--redirect-uri", redirect, "--client-id",
        "me", "--grant", "implicit",
      ] + options + more
    return try Program(
      words[0], Array(words.dropFirst()), environment: environment.merging(variables) { $1 },
      errorPath: "\(folder)/\(UUID().uuidString)")
  }

  /// Waits until the page is complete and its window is visible.
  func showsPage(_ login: Program, titled title: String = "Sign in") async -> Bool {
    await eventually { isShowingPage(login, titled: title) || login.status != nil }
      && isShowingPage(login, titled: title)
  }

  /// Leaves by a key and answers the window's question, until `condition` holds. The question comes after the page has had
  /// the key; until then, the page gets the answers, too.
  func leaves(by key: String = "Escape", until condition: () -> Bool) async throws -> Bool {
    try seat.press(key)
    return try await eventually {
      if condition() { return true }
      try seat.press("alt+n")
      return condition()
    }
  }

  func isShowingPage(_ login: Program, titled title: String = "Sign in") -> Bool {
    login.errors.contains("info: page of") && seat.shows(title)
  }

  /// The path of a program next to the test bundle.
  static func program(_ name: String) throws -> String {
    let bundle = CommandLine.arguments.map { URL(filePath: $0) }.first { $0.pathExtension == "xctest" }
    return try #require(bundle).deletingLastPathComponent().appending(path: name).path()
  }

  /// The path of a file in the folder of the window's tests.
  static func file(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "WindowTests/\(name)").path()
  }

  /// Compiles a C file of that folder into a library, and returns the variables that make programs load it before all
  /// other libraries.
  func preload(_ source: String, _ options: String...) throws -> [String: String] {
    let library = "\(folder)/\(source.replacing(".c", with: ".so"))"
    let command = ["gcc", "-shared", "-fPIC"] + options + ["-o", library, Self.file(source), "-ldl"]
    try Screen.run(command, [:])
    return ["LD_PRELOAD": library]
  }

  private static func makeCertificate(in folder: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
      "2", "-subj", "/CN=127.0.0.1",
      "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/both.pem", "-out",
      folder + "/certificate.pem",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let certificate = try String(contentsOfFile: folder + "/certificate.pem", encoding: .utf8)
    let key = try String(contentsOfFile: folder + "/both.pem", encoding: .utf8)
    try (certificate + key).write(toFile: folder + "/both.pem", atomically: true, encoding: .utf8)
    return folder + "/both.pem"
  }
}
