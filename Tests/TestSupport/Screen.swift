import Foundation
import Synchronization
import Testing

/// A virtual X11 display with a window manager. Tests type and click in it with `xdotool`.
final class Screen: Seat {
  let name: String
  private let server: Program
  private let manager: Program
  /// The folder with the error logs of the display's programs.
  let folder: String
  private let ownsFolder: Bool
  let emptiness: Data?

  /// Without a `folder`, the display makes one of its own and removes it at the end.
  init(folder: String? = nil, size: String = "640x760") async throws {
    ownsFolder = folder == nil
    self.folder =
      folder ?? FileManager.default.temporaryDirectory.appending(path: "screen-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
    let (server, name) = try await Self.server(in: self.folder, size: size)
    self.server = server
    self.name = name
    // openbox makes this file once it manages the display.
    let managed = self.folder + "/managed"
    manager = try Program(
      server: ["openbox", "--sm-disable", "--startup", "touch \(managed)"],
      environment: ["PATH": "/usr/bin:/bin", "HOME": self.folder, "DISPLAY": name],
      errorPath: self.folder + "/openbox")
    let manager = self.manager
    try #require(
      await eventually { FileManager.default.fileExists(atPath: managed) }, "no openbox: \(manager.errors)")
    emptiness = try Self.look(in: self.folder)
    Evidence.current?.add(self)
  }

  /// Every display of a run has a new number. A program that is late must not connect to another test's display, and a
  /// server that ends must not remove the socket of a new one with the same number.
  private static let numbers = Atomic(Int.random(in: 1_000..<50_000))

  private static func server(in folder: String, size: String) async throws -> (Program, name: String) {
    var errors = ""
    for _ in 1..<5 {
      let number = numbers.add(1, ordering: .relaxed).newValue
      // Without -noreset, the server restarts when the last program leaves and refuses programs that connect at that
      // moment. With the usual -ardelay, it repeats a key that a busy machine releases late. GLX takes longer to load
      // than everything else, so only `--all` has it, as real displays do. Wayland displays do not have it.
      let server = try Program(
        server: [
          "Xvfb", ":\(number)", "-displayfd", "1", "-screen", "0", size + "x24", "-nolisten", "tcp",
          "-noreset", "-fbdir", folder, "-ardelay", "1200",
        ] + (Rows.areAll ? [] : ["-extension", "GLX"]),
        environment: ["PATH": "/usr/bin:/bin"], errorPath: folder + "/xvfb")
      // The server ends if the number is taken.
      try #require(
        await eventually { server.text.hasSuffix("\n") || server.status != nil },
        "no Xvfb: \(server.errors)")
      if server.status == nil { return (server, ":\(number)") }
      errors = server.errors
    }
    throw Failed(command: "Xvfb: \(errors)")
  }

  deinit {
    end()
    if ownsFolder { removeFolder(folder) }
  }

  /// Ends the server with SIGTERM, so that it removes its socket from the folder that all displays share.
  func end() {
    guard server.status == nil else { return }
    server.end(SIGTERM)
    for _ in 0..<200 where server.status == nil { usleep(10_000) }
  }

  var variables: [String: String] { ["DISPLAY": name] }

  /// Types into the page. The pointer is in the window.
  func type(_ text: String) throws {
    try run("xdotool", "mousemove", "320", "500", "type", "--delay", "15", text)
  }

  func press(_ key: String) throws { try run("xdotool", "mousemove", "320", "500", "key", key) }

  /// Sets the keyboard layout.
  func setKeyboard(_ layout: String) throws { try run("setxkbmap", layout) }

  func click(button: Int = 1) throws { try click(on: [320, 500, 0, 0], button: button) }

  /// Clicks in the middle of a place, which is given by left, top, width and height. Button 3 opens the context menu.
  func click(on place: [Int], button: Int = 1) throws {
    guard place.count == 4 else { throw Failed(command: "click on \(place)") }
    let (x, y) = (place[0] + place[2] / 2, place[1] + place[3] / 2)
    try run("xdotool", "mousemove", "\(x)", "\(y)", "click", "\(button)")
  }

  /// Starts a program that prints a `MapNotify event` for each window that appears.
  func watchWindows() async throws -> Program {
    let watch = try Program(
      "/usr/bin/xev", ["-root", "-event", "substructure"],
      environment: ["PATH": "/usr/bin:/bin", "DISPLAY": name], errorPath: folder + "/xev")
    // xev does not say when it is ready, but the server lists the events that programs have asked for.
    try #require(
      try await eventually { try run("xwininfo", "-root", "-events").contains("SubstructureNotify") },
      "\(watch.errors)")
    return watch
  }

  func shows(_ title: String) -> Bool { windows(title) != [] }

  var titles: [String] {
    let found = try? run("xdotool", "search", "--onlyvisible", "--name", ".", "getwindowname", "%@")
    return found?.split(separator: "\n").map(String.init) ?? []
  }

  /// The windows on the display and the error logs, for the message of a test that does not find its window.
  var state: String {
    let tree = (try? run("xwininfo", "-root", "-tree")) ?? "no answer"
    return "\(tree)\nXvfb: \(server.errors)\nopenbox: \(manager.errors)"
  }

  /// Gives a window the keyboard focus.
  func focus(_ title: String) throws {
    for window in windows(title) { try run("xdotool", "windowfocus", "--sync", window) }
  }

  func close(_ title: String) throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "close-window.py")
      .path()
    for window in windows(title) { try run("/usr/bin/python3", script, window) }
  }

  func resize(_ title: String, width: Int, height: Int) throws {
    guard let window = windows(title).first else { throw Failed(command: "resize \(title)") }
    try run("xdotool", "windowsize", window, "\(width)", "\(height)")
  }

  func place(of title: String) -> Place? {
    guard
      let window = windows(title).first,
      let text = try? run("xdotool", "getwindowgeometry", "--shell", window)
    else { return nil }
    let values = text.split(separator: "\n").reduce(into: [String: Int]()) { values, line in
      let parts = line.split(separator: "=")
      if parts.count == 2 { values[String(parts[0])] = Int(parts[1]) }
    }
    guard let x = values["X"], let y = values["Y"], let width = values["WIDTH"], let height = values["HEIGHT"]
    else {
      return nil
    }
    return Place(x: x, y: y, width: width, height: height)
  }

  /// Covers the display with a window until the input of the returned program is closed.
  func cover(folder: String) throws -> Program {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "cover-window.py")
      .path()
    return try Program(
      "/usr/bin/python3", [script], environment: ["PATH": "/usr/bin:/bin", "DISPLAY": name],
      errorPath: folder + "/cover")
  }

  /// Finds a title, with or without the host of the window's page.
  static func pattern(_ title: String) -> String { "^\(title)( .*)?$" }

  private func windows(_ title: String) -> [String] {
    let found = try? run("xdotool", "search", "--onlyvisible", "--name", Self.pattern(title))
    return found?.split(separator: "\n").map(String.init) ?? []
  }

  /// The contents of the file that the server draws into.
  func look() throws -> Data { try Self.look(in: folder) }

  private static func look(in folder: String) throws -> Data {
    try Data(contentsOf: URL(filePath: folder + "/Xvfb_screen0"))
  }

  static let format = "xwd"

  /// The path of a file in Tests/results. Makes the folder.
  static func resultPath(_ name: String) throws -> String {
    let results = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "results")
    try FileManager.default.createDirectory(at: results, withIntermediateDirectories: true)
    return results.appending(path: name).path()
  }

  @discardableResult
  func run(_ command: String, _ arguments: String...) throws -> String {
    try Self.run([command] + arguments, ["DISPLAY": name])
  }

  /// Runs a command and returns its output. Throws if it fails.
  @discardableResult
  static func run(_ words: [String], _ variables: [String: String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: words[0].hasPrefix("/") ? words[0] : "/usr/bin/" + words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(variables) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(command: words.joined(separator: " ")) }
    return text
  }

  /// A command that failed.
  struct Failed: Error { let command: String }
}
