import GLibSupport
import LoginCore

/// Opens a page in a browser that is not this program's child in any sense: it has its own session, none of our
/// descriptors and none of our secrets, and nobody waits for it.
public struct BrowserOpener: Sendable {
  /// One way to do so.
  public enum Means: Sendable, Equatable {
    /// A command; the address takes the place of `%s` in it, or else comes behind it.
    case command([String])
    /// A program of ours that reads the address and asks the desktop.
    case desktop([String])
  }

  private let means: [Means]

  /// The means in the order in which they are tried.
  public init(_ means: [Means]) { self.means = means }

  /// The commands of the variable `BROWSER`: several with colons between them, the best first.
  public static func commands(in variable: String, words: (String) -> [String]?) -> [Means] {
    variable.parts(at: ":").compactMap { command in
      guard let words = words(command), !words.isEmpty else { return nil }
      return .command(words)
    }
  }

  /// Whether there is nothing to try.
  var isEmpty: Bool { means.isEmpty }

  /// False if none of them did. Other users of this machine see what the desktop's browser is started with, so that one
  /// goes through an `entrance` where there is one; a command may lead to another machine, which has none. `failed` is
  /// told if one that seemed to open turns out not to have.
  @GLibActor
  func open(
    _ url: String, through entrance: () -> String? = { nil },
    failed: @escaping @GLibActor () -> Void = {}
  ) async -> Bool {
    for means in means {
      let address = if case .desktop = means { entrance() ?? url } else { url }
      if await Self.open(address, by: means, failed) { return true }
    }
    return false
  }

  /// Who has closed a browser of their own by then has seen it.
  private static let patience = Duration.seconds(20)

  /// A browser that has just been started says so by not ending, one that hands the page to another by ending
  /// well. One that takes its time to find out that it cannot open has shown nothing until then.
  @GLibActor
  private static func open(
    _ url: String, by means: Means, _ failed: @escaping @GLibActor () -> Void
  ) async -> Bool {
    do throws(SystemError) {
      switch means {
      case .command(let words):
        let process = try DetachedProcess(words.naming(url), hiding: CallersSecrets.variables)
        if let status = await process.status(within: .seconds(1)) { return status == 0 }
        GLibActor.task { if await process.status(within: patience) ?? 0 != 0 { failed() } }
        return true
      case .desktop(let words):
        let process = try DetachedProcess(
          words, hiding: CallersSecrets.variables, input: Array(url.utf8))
        return await process.status(within: .seconds(10)) ?? 0 == 0
      }
    } catch {
      return false
    }
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

/// What the caller's environment may hold and no other program must know.
enum CallersSecrets {
  static let variables = ["TOKENTRY_CLIENT_SECRET", "TOKENTRY_PASSWORD"]
}
