import Foundation
import Synchronization
@testable import TestSupport
import Testing

/// Reads windows as a screen reader does, over the accessibility bus.
final class ScreenReader: Sendable {
  private let desk: Desk
  private let bus: AccessibilityBus
  /// The program that reads. It starts with the first look.
  private let reader = Mutex<Program?>(nil)
  private let lastLook = Mutex<ContinuousClock.Instant?>(nil)
  private static let script = Desk.file("accessible.py")

  init(_ desk: Desk) async throws {
    self.desk = desk
    bus = try await AccessibilityBus(folder: desk.folder)
  }

  /// The environment variables that make a program readable.
  var variables: [String: String] { bus.variables }

  /// An element of a window: a button, a label, the frame.
  struct Element: CustomStringConvertible {
    let depth: Int
    let role: String
    let name: String
    let states: [String]
    /// Left, top, width and height on the screen.
    let place: [Int]
    /// The words that are read after the name.
    let details: String

    var description: String { "\(role) '\(name)'" }
    /// True if it is visible whenever its parent is.
    var isVisible: Bool { states.contains("visible") }
    var isShowing: Bool { states.contains("showing") }
  }

  /// The elements, each before its children. Without the page they come even while the page is busy.
  func elements(withPage: Bool = false) throws -> [Element] {
    // A look takes as much processor time as opening a window.
    let pause = lastLook.withLock { $0.map { ContinuousClock.now - $0 } }
    if let pause, pause < .milliseconds(250) { usleep(250_000) }
    defer { lastLook.withLock { $0 = .now } }
    let program = try reader.withLock { reader in
      let program = try reader ?? start(errors: "accessible")
      reader = program
      return program
    }
    let count = program.text.utf8.count
    let answer = { String(program.text.utf8.dropFirst(count)) ?? "" }
    try program.write(withPage ? "tree\n" : "ours\n")
    let deadline = ContinuousClock.now + .seconds(patience)
    while !answer().hasSuffix("end\n") {
      guard program.status == nil, ContinuousClock.now < deadline else {
        throw Screen.Failed(command: "accessible.py: \(program.errors)")
      }
      usleep(2_000)
    }
    return answer().split(separator: "\n").compactMap(Self.element)
  }

  private static func element(_ line: Substring) -> Element? {
    let text = line.drop { $0 == " " }
    let fields = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 5 else { return nil }
    return Element(
      depth: (line.count - text.count) / 2, role: fields[0], name: fields[1],
      states: fields[2].split(separator: " ").map(String.init),
      place: fields[3].split(separator: ",").compactMap { Int($0) }, details: fields[4])
  }

  /// True if an element is showing. It is given by its role and name, such as `push button 'Cancel Sign-In'`, or by its name alone.
  func shows(_ element: String, withPage: Bool = false) throws -> Bool {
    try elements(withPage: withPage).contains {
      $0.isShowing && ($0.description == element || $0.name == element)
    }
  }

  /// Waits until an element is showing.
  func isShown(_ element: String, withPage: Bool = false) async throws -> Bool {
    try await eventually { try shows(element, withPage: withPage) }
  }

  /// Waits until an element is no longer showing.
  func isGone(_ element: String) async throws -> Bool {
    try await eventually { try !shows(element) }
  }

  /// Waits until all these elements are showing, and returns the ones that are missing.
  func missing(_ wanted: [String], withPage: Bool = false) async throws -> [String] {
    var missing = wanted
    _ = try await eventually {
      let shown = try elements(withPage: withPage).filter(\.isShowing).map(\.description)
      missing = wanted.filter { !shown.contains($0) }
      return missing.isEmpty
    }
    return missing
  }

  /// Starts a program that prints each element that gets the focus, and announcements, until its input is closed.
  func watchFocus() async throws -> Program {
    let watch = try start("focus", errors: "focus")
    try #require(await eventually { watch.text.hasPrefix("ready\n") }, "\(watch.errors)")
    return watch
  }

  private func start(_ arguments: String..., errors: String) throws -> Program {
    try Program(
      Self.script, arguments, environment: desk.environment.merging(variables) { $1 },
      errorPath: "\(desk.folder)/\(errors)")
  }
}

/// A session bus for one test, which can start the accessibility bus.
final class AccessibilityBus: Sendable {
  /// The environment variables of a program that uses this bus.
  let variables: [String: String]
  private let server: Program

  init(folder: String) async throws {
    // The system's configuration would start a portal, which mounts a folder here. The socket is in this folder because
    // the bus is killed, which leaves its socket behind.
    let configuration = """
      <busconfig><type>session</type><listen>unix:path=\(folder)/bus-socket</listen>
      <servicedir>\(folder)/services</servicedir>
      <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
      """
    try configuration.write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
    let service = "org.a11y.Bus.service"
    try FileManager.default.createDirectory(atPath: folder + "/services", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/services/\(service)",
      withDestinationPath: "/usr/share/dbus-1/services/\(service)")
    server = try Program(
      server: ["dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--print-address"],
      environment: ["PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": folder],
      errorPath: folder + "/bus")
    let server = self.server
    try #require(await eventually { server.text.hasSuffix("\n") }, "no bus: \(server.errors)")
    variables = [
      "DBUS_SESSION_BUS_ADDRESS": server.text.trimmingCharacters(in: .newlines),
      "NO_AT_BRIDGE": "0",
    ]
  }

  func end(_ signal: Int32) { server.end(signal) }

  var hasEnded: Bool { server.status != nil }
}

extension Screen {
  /// Waits until a QR code is on the screen, and returns its text.
  func readCode() async throws -> String {
    let picture = folder + "/code.png"
    var text = ""
    _ = try await eventually {
      try capture(picture)
      text = (try? run("zbarimg", "--quiet", "--raw", picture)) ?? ""
      return !text.isEmpty
    }
    return text.trimmingCharacters(in: .newlines)
  }

  /// Waits until a text is on the clipboard.
  func copies(_ text: String) async throws -> Bool {
    try await eventually {
      try run("/usr/bin/python3", Desk.file("clipboard.py")).trimmingCharacters(in: .newlines)
        == text
    }
  }

  /// The brightness of a part of a picture in Tests/results, from 0 to 1. `part` is a geometry of ImageMagick.
  static func brightness(of picture: String, _ part: String) throws -> Double {
    let path = try resultPath(picture + ".png")
    let text = try run(["convert", path, "-crop", part, "-format", "%[fx:mean]", "info:"], [:])
    return try #require(Double(text))
  }

  /// The contrast between the lightest and the darkest colour in a part of a picture (WCAG 2.2, "contrast ratio").
  static func contrast(in picture: String, _ place: [Int]) throws -> Double {
    let path = try resultPath(picture + ".png")
    let pixels = try run(["convert", path, "-crop", geometry(place), "+repage", "-depth", "8", "txt:-"], [:])
    let luminances = pixels.matches(of: /#([0-9A-F]{2})([0-9A-F]{2})([0-9A-F]{2})/).map { match in
      let parts = [match.1, match.2, match.3].map { part in
        let value = Double(Int(part, radix: 16) ?? 0) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
    return ((luminances.max() ?? 0) + 0.05) / ((luminances.min() ?? 1) + 0.05)
  }

  /// A place on the screen, given by left, top, width and height, as a geometry of ImageMagick.
  static func geometry(_ place: [Int]) throws -> String {
    try #require(place.count == 4)
    return "\(place[2])x\(place[3])+\(place[0])+\(place[1])"
  }
}
