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
  /// Takes a picture of it all as it is now.
  func capture(_ path: String) throws
  /// Ends it under whoever is shown on it.
  func end()
}

extension Seat {
  /// Keeps a picture of it all in Tests/results, once it stands still.
  func shoot(_ name: String) async throws {
    let path = try Screen.resultPath(name + ".png")
    try await Screen.stillPicture(path) { try capture(path) }
  }

  /// Waits until what can be seen has been painted.
  func standsStill() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "still-\(UUID().uuidString).png").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await Screen.stillPicture(path) { try capture(path) }
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
