import GLibSupport
import Glibc
import LoginCore
import Platform

/// Opens a page in a browser. The browser is not our child: it has its own session, none of our descriptors and secrets,
/// and goes on when this program ends.
package struct BrowserOpener: Sendable {
  package enum Method: Sendable, Equatable {
    /// A command. The address replaces `%s`, or else is the last argument.
    case command([String])
    /// A program of ours that reads the address from its input and asks the desktop. It closes its output once a browser has
    /// been started, and fails if the browser does.
    case desktop([String])
  }

  private let methods: [Method]
  /// The command as the caller wrote it. nil for the desktop's own browser.
  package let command: String?

  /// The methods are tried in order. The caller wrote `command`.
  package init(_ methods: [Method], command: String? = nil) {
    (self.methods, self.command) = (methods, command)
  }

  /// Reads the variable `BROWSER`: commands with colons between them, the best first.
  package static func commands(in variable: String, words: (String) -> [String]?) -> [Method] {
    variable.parts(at: ":").compactMap { command in
      guard let words = words(command), !words.isEmpty else { return nil }
      return .command(words)
    }
  }

  package var isEmpty: Bool { methods.isEmpty }

  /// True if the page opens in this machine's desktop first. A command may open it on another machine.
  var opensHere: Bool { if case .desktop? = methods.first { true } else { false } }

  /// Returns false if every method failed. Other users of this machine see the arguments of the desktop's browser, so it
  /// gets the address of an `entrance` if there is one. A command gets the address itself, since it may open it on
  /// another machine. `failed` is called if a method that seemed to work turns out to have failed.
  @GLibActor
  package func open(
    _ url: String, through entrance: () -> String? = { nil },
    failed: @escaping @GLibActor () -> Void = {}
  ) async -> Bool {
    for method in methods {
      let address = if case .desktop = method { entrance() ?? url } else { url }
      if await Self.open(address, by: method, failed) { return true }
    }
    return false
  }

  /// A browser that opens the page itself keeps running. One that hands the page to another instance ends with status 0.
  /// A slow one may fail later; it has shown nothing until then.
  @GLibActor
  private static func open(
    _ url: String, by method: Method, _ failed: @escaping @GLibActor () -> Void
  ) async -> Bool {
    do throws(SystemError) {
      let process = try start(method, url)
      if let output = process.output { await awaitEnd(of: output) }
      if let status = await process.status(within: .seconds(1)) { return status == 0 }
      GLibActor.task {
        if await status(of: process, within: DesktopBrowser.patience) ?? 0 != 0 { failed() }
      }
      return true
    } catch {
      return false
    }
  }

  private static func start(_ method: Method, _ url: String) throws(SystemError) -> DetachedProcess {
    switch method {
    case .command(let words): try DetachedProcess(words.naming(url), hiding: CallersSecrets.variables)
    case .desktop(let words):
      try DetachedProcess(words, hiding: CallersSecrets.variables, input: Array(url.utf8), isHeard: true)
    }
  }

  /// Waits until the output has ended, but no longer than a desktop needs that is not asking the user.
  @GLibActor
  private static func awaitEnd(of output: Int32) async {
    _ = await within(.seconds(10)) {
      _ = try? await DescriptorReader(descriptor: output).all(upTo: 1_024)
      close(output)
    }
  }

  /// Returns the exit status of a process, or nil if it still runs. Such a process is reaped when it ends, because an agent
  /// outlives its browsers.
  @GLibActor
  static func status(of process: DetachedProcess, within duration: Duration) async -> Int32? {
    let status = await process.status(within: duration)
    if status == nil { GLibActor.task { _ = await process.status() } }
    return status
  }
}

extension Failure {
  /// The browser could not be opened; `command` is nil for the desktop's own.
  package static func browserFailed(command: String?) -> Failure {
    command.map {
      Failure(
        .noUserAgent, "the browser could not be opened: \"\($0.forDisplay(limit: 100))\" failed",
        hint: .checkBrowser)
    }
      ?? Failure(.noUserAgent, "the desktop's browser could not be opened", hint: .nameBrowser)
  }
}

extension [String] {
  /// The command with the address in it.
  func naming(_ url: String) -> [String] {
    if !contains(where: { $0.marksAddress }) { return self + [url] }
    return map { word in word.marksAddress ? word.replacingMark(with: url) : word }
  }
}

extension String {
  fileprivate var marksAddress: Bool { parts(at: "%").dropFirst().contains { $0.hasPrefix("s") } }

  fileprivate func replacingMark(with url: String) -> String {
    let parts = parts(at: "%")
    return parts[0] + parts.dropFirst().map { $0.hasPrefix("s") ? url + $0.dropFirst() : "%\($0)" }.joined()
  }
}

/// Secrets in the caller's environment that other programs must not see.
enum CallersSecrets {
  static let variables = ["TOKENTRY_CLIENT_SECRET", "TOKENTRY_PASSWORD"]
}
