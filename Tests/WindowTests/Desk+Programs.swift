import Foundation
@testable import TestSupport

extension Desk {
  /// The redirect URI of logins that do not give one: a web address to which no server of the tests belongs.
  static let redirect = "https://oauth.vk.com/blank.html"

  /// Starts `tokentry`, or the program in `words` with `tokentry` as its last arguments.
  func tokentry(
    _ arguments: [String], variables: [String: String] = [:], inside words: [String] = []
  ) throws -> Program {
    let words = words + [try Self.program("tokentry")] + arguments
    return try Program(
      words[0], Array(words.dropFirst()), environment: environment.merging(variables) { $1 },
      errorPath: "\(folder)/\(UUID().uuidString)")
  }

  /// Starts a login at a page that the test writes.
  func login(
    _ body: String, redirect: String = Desk.redirect, more: [String] = [],
    variables: [String: String] = [:]
  ) throws -> Program {
    try login(at: "html?body=" + body.percentEncoded, redirect: redirect, more: more, variables: variables)
  }

  /// Starts the window's program without `tokentry`.
  func window(_ variables: [String: String] = [:]) throws -> Program {
    try Program(
      Self.program("tokentry-window"), [], environment: environment.merging(variables) { $1 },
      errorPath: "\(folder)/\(UUID().uuidString)")
  }

  /// Starts the window's program and opens a page of the provider. `members` go into the command `open`.
  func window(
    at page: String, _ members: [String: Any] = [:], variables: [String: String] = [:]
  ) throws -> Program {
    let window = try window(variables)
    let opening: [String: Any] = ["url": "\(provider)/\(page)", "redirect_uris": [Self.redirect]]
    let line = try JSONSerialization.data(withJSONObject: ["open": opening.merging(members) { $1 }])
    try window.write(String(decoding: line, as: UTF8.self) + "\n")
    return window
  }

  /// Starts the window's program with a page that the test writes.
  func window(
    showing body: String, redirects: [String] = [Desk.redirect], variables: [String: String] = [:]
  ) throws -> Program {
    try window(at: "html?body=" + body.percentEncoded, ["redirect_uris": redirects], variables: variables)
  }

  /// Starts the window's program with a page of the provider. The window is called Mail and can hand over to the browser.
  func mailWindow(at page: String, _ variables: [String: String] = [:]) throws -> Program {
    try window(
      at: "\(page)?redirect_uri=\(Self.redirect)&state=S", ["title": "Mail", "ways": ["browser"]],
      variables: variables)
  }

  /// Waits until the page is complete and its window is visible.
  func shows(_ window: Program, titled title: String = "Sign in") async -> Bool {
    await eventually { window.pagesLoaded > 0 && seat.shows(title) }
  }

  /// Waits until a failure is reported and the window is visible.
  func showsFailure(_ login: Program, _ words: String) async -> Bool {
    await eventually { isShowingFailure(login, words) }
  }

  func isShowingFailure(_ login: Program, _ words: String) -> Bool {
    login.errors.contains(words) && seat.shows("Sign in")
  }

  /// The number of requests for a path.
  func hits(_ path: String, by method: String = "GET") -> Int {
    requests.count { $0.hasPrefix("\(method) \(path) ") }
  }

  /// Waits until a path has been requested.
  func isHit(_ path: String) async -> Bool { await eventually { hits(path) > 0 } }

  /// The number of times that the form of a test's page was sent.
  var posts: Int { hits("/posted", by: "POST") }

  /// Attributes of an input or button that make it take the focus and request `/ready`. Keys that are pressed earlier are
  /// lost.
  static let autofocus = "autofocus onfocus='fetch(`/ready`)'"

  /// Waits until a page with ``autofocus`` has the focus and its window is painted.
  func takesKeys() async throws -> Bool {
    guard await eventually({ hits("/ready") > 0 && seat.shows("Sign in") }) else { return false }
    try await seat.standsStill()
    return true
  }

  /// Writes a script that takes the place of a browser, and returns its path.
  func browser(_ script: String) throws -> String {
    let path = folder + "/browse"
    try writeProgram("#!/bin/sh\n\(script)\n", to: path)
    return path
  }
}

extension Program {
  /// The number of complete pages that the window's program has reported.
  var pagesLoaded: Int { text.components(separatedBy: "\"main_frame_loaded\":true").count - 1 }

  /// The callbacks that the window's program has reported.
  var callbacks: [(uri: String, mainFrame: Bool?)] {
    text.split(separator: "\n").compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [String: Any]]
      guard let callback = object?["callback"], let uri = callback["uri"] as? String else {
        return nil
      }
      return (uri, callback["main_frame"] as? Bool)
    }
  }
}

extension String {
  /// The text as part of a query.
  var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}
