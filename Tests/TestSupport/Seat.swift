import Foundation

/// What a person sits at: a display that shows windows, with hands that type there and eyes that look.
protocol Seat: Sendable {
  /// What a program needs to show its windows here and nowhere else.
  var variables: [String: String] { get }
  /// Whether a window with this title can be seen.
  func shows(_ title: String) -> Bool
  /// Where a window is and how large, with what is drawn around it.
  func place(of title: String) -> Place?
  /// Types into the window that has the focus.
  func type(_ text: String) throws
  /// Presses a key of X's names, with those in front that are held down: `ctrl+shift+u`.
  func press(_ keys: String) throws
  /// Makes a window another size, as a person does who drags its corner.
  func resize(_ title: String, width: Int, height: Int) throws
  /// Asks a window to close, as whatever manages windows does.
  func close(_ title: String) throws
  /// All that can be seen now, as `convert` reads it where it is told the format.
  func look() throws -> Data
  /// The format of what is seen.
  static var format: String { get }
  /// All that could be seen before there was a window, where that is known.
  var emptiness: Data? { get }
  /// Ends it under whoever is shown on it.
  func end()
}

extension Seat {
  var emptiness: Data? { nil }

  /// Keeps a picture of it all in Tests/results, once it stands still.
  func shoot(_ name: String) async throws {
    try write(try await standsStill(), to: Screen.resultPath(name + ".png"))
  }

  /// Takes a picture of it all as it is now.
  func capture(_ path: String) throws { try write(look(), to: path) }

  /// Waits until what can be seen has been painted: that is the same, however often one looks. What blinks or turns
  /// never stands still: after a while anything will do. Where there is nothing at all, a busy machine has not painted
  /// the window yet.
  @discardableResult
  func standsStill() async throws -> Data {
    var last = emptiness
    let latest = ContinuousClock.now + .seconds(20 * slowness)
    for _ in 0..<8 {
      var now: Data
      repeat {
        try await Task.sleep(for: .milliseconds(150))  // longer than painting twice in a row takes
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

  /// Fills in the provider's form and sends it.
  func signIn() throws {
    try type("anna")
    try press("Tab")
    try type("secret")
    try press("Return")
  }
}

/// Where a window is.
struct Place: Equatable { var x, y, width, height: Int }

/// What people have in front of them.
enum Desktop: String, CaseIterable {
  /// X11 with openbox.
  case x11
  /// Wayland with sway.
  case wayland
}
