import Foundation

/// A virtual display on which a test types, looks and moves windows, as a user does.
protocol Seat: AnyObject, Sendable {
  /// The environment variables that make a program show its windows here.
  var variables: [String: String] { get }
  /// True if a window with this title is visible.
  func shows(_ title: String) -> Bool
  /// The titles of the visible windows.
  var titles: [String] { get }
  /// The position and size of a window, with its decoration.
  func place(of title: String) -> Place?
  /// Types into the window with the focus.
  func type(_ text: String) throws
  /// Presses a key with modifiers, in X's names: `ctrl+shift+u`.
  func press(_ keys: String) throws
  /// Resizes a window, as a user does who drags its corner.
  func resize(_ title: String, width: Int, height: Int) throws
  /// Asks a window to close, as a window manager does.
  func close(_ title: String) throws
  /// A picture of the whole display, in ``format``.
  func look() throws -> Data
  /// The format of pictures, in the names of ImageMagick's `convert`.
  static var format: String { get }
  /// A picture of the empty display, or nil if there is none.
  var emptiness: Data? { get }
  /// Ends the display, even if programs still use it.
  func end()
}

extension Seat {
  var emptiness: Data? { nil }

  /// Saves a picture in Tests/results once the display no longer changes.
  func shoot(_ name: String) async throws {
    try write(try await standsStill(), to: Screen.resultPath(name + ".png"))
  }

  /// Saves a picture of the display as it is now.
  func capture(_ path: String) throws { try write(look(), to: path) }

  /// Waits until the display is painted, that is until two pictures are the same, and returns the last picture. Gives up
  /// after a few pictures, because a cursor or a spinner changes for ever. Waits longer while the display is empty: a busy
  /// machine has not painted the window yet.
  @discardableResult
  func standsStill() async throws -> Data {
    var last = emptiness
    let latest = ContinuousClock.now + .seconds(20 * slowness)
    for _ in 0..<8 {
      var now: Data
      repeat {
        try await Task.sleep(for: .milliseconds(150))  // longer than the time between two paintings
        now = try look()
      } while now == emptiness && .now < latest
      if now == last { break }
      last = now
    }
    return last ?? Data()
  }

  private func write(_ sight: Data, to path: String) throws {
    let raw = FileManager.default.temporaryDirectory.appending(path: "sight-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: raw) }
    try sight.write(to: raw)
    try Screen.run(
      ["convert", "\(Self.format):\(raw.path())", "-strip", "-quality", "10", "png:" + path], [:])
  }

  /// Fills in and sends the provider's form.
  func signIn() throws {
    try type("anna")
    try press("Tab")
    try type("secret")
    try press("Return")
  }
}

/// The position and size of a window.
struct Place: Equatable { var x, y, width, height: Int }

/// A kind of display.
enum Desktop: String, CaseIterable {
  /// X11 with openbox.
  case x11
  /// Wayland with sway.
  case wayland
}
