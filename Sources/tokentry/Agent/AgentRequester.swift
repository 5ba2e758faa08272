import GLibSupport
import Glibc
import LoginCore
import Platform
import Synchronization
import WindowProtocol

/// The program that asks an agent, as the kernel knows it.
struct AgentRequester: Sendable {
  private static let unknown = Atomic(0)

  /// The process itself, which may be a `tokentry` that asks for the program.
  private let asking: ProcessFacts?
  /// nil if the program is in a container that this system cannot look into.
  private let facts: ProcessFacts?
  /// The destination of an ssh connection, through which programs over there ask.
  let server: String?
  /// True if the program sees another file system than this one.
  let isInContainer: Bool
  /// Tells programs apart: the file of the executable, its control group and mount namespace, and an interpreter's script, or
  /// one process of ssh.
  private let identity: String
  /// True if a later program can be known to be the same. An interpreter whose words are not just flags and a script may run
  /// any code.
  let isLasting: Bool
  /// Identifies the programs that a refusal is for, by properties that the program does not choose. All unknown programs count
  /// as one; otherwise each connection would be a new program. All programs of a container count as one, because its files
  /// and control groups are its own, and so do all scripts of an interpreter, because a program chooses its arguments.
  let group: String

  private static let ownNamespace = RequesterProcesses.namespace(of: getpid())

  init(_ process: pid_t) {
    let own = Environment().executable
    let chain = RequesterProcesses.chain(from: process) { $0.executable == nil || $0.executable == own }
    self.init(chain, process: process, own: own)
  }

  /// `chain` is the process and its ancestors, and `own` this program's path. A `tokentry` asks for the program that has
  /// started it; the system tells its path only to root, because it must not be debugged.
  init(_ chain: [ProcessFacts], process: pid_t, own: String?) {
    asking = chain.first
    facts = chain.first { $0.executable != nil && $0.executable != own }
    guard let facts else {
      // No two of these can be known to be the same.
      (server, isInContainer, group, isLasting) = (nil, false, "unknown", false)
      identity = "unknown \(Self.unknown.add(1, ordering: .relaxed).newValue)"
      return
    }
    let executable = facts.executable ?? ""
    // A container may have a `tokentry` of its own that a program outside has started.
    let starting = chain.prefix { $0 != facts } + [facts]
    let foreign = starting.compactMap(\.namespace).first { $0 != Self.ownNamespace }
    isInContainer = foreign != nil
    let file = "\(executable)\n\(facts.file ?? "")\n\(foreign ?? "")"
    // Any program can call a file of its own ssh.
    let isSSH = !isInContainer && facts.isOfSystem && executable.parts(at: "/").last == "ssh"
    if isSSH, facts == chain.first {
      server = Self.destination(of: facts.arguments)?.forDisplay(limit: 200) ?? "?"
      identity = "\(file)\n\(process) \(facts.startTime ?? "")"
      (group, isLasting) = (identity, true)
    } else {
      server = nil
      isLasting = !RequestingProgram.isInterpreter(executable) || facts.scriptFile != nil
      let words = isLasting ? [Self.script(of: facts) ?? ""] : facts.arguments + [facts.folder ?? ""]
      identity = "\(file)\n\(facts.controlGroup ?? "")\n\(words.joined(separator: "\0"))"
      group = isInContainer ? "container\n\(Self.unit(of: facts.controlGroup ?? ""))" : file
    }
  }

  /// Returns the outermost control group that is neither a slice nor the user's manager. A container can only make groups
  /// inside it.
  private static func unit(of controlGroup: String) -> String {
    let path = controlGroup.split(separator: "\n").first { $0.hasPrefix("0::/") } ?? ""
    let parts = path.split(separator: "/")
    let outer = parts.dropFirst().prefix { $0.hasSuffix(".slice") || $0.hasPrefix("user@") }
    return parts.dropFirst().prefix(outer.count + 1).joined(separator: "/")
  }

  /// True if the process is still the same program. One that has ended is: it cannot have become another. Its parents may
  /// end before it does.
  func isStill(_ process: pid_t) -> Bool {
    let now = RequesterProcesses.chain(from: process) { _ in false }.first
    guard let now, let asking else { return true }
    return now.startTime == asking.startTime && now.executable == asking.executable && now.file == asking.file
      && now.namespace == asking.namespace && Self.script(of: now) == Self.script(of: asking)
      && (isLasting || now.arguments == asking.arguments)
  }

  /// The name that people know the program by.
  var name: String {
    if server != nil { return "ssh" }
    guard var facts else { return "?" }
    let applications = InstalledApplications.all()
    var caller = RequestingProgram([facts], controlGroup: nil, applications)
    if !isInContainer || caller?.kind != .flatpak {
      // A desktop's application may hold many programs, of which only this one asks.
      facts.controlGroup = nil
      caller = RequestingProgram([facts], controlGroup: nil, applications)
    }
    return Requester(application: nil, caller: caller).name ?? "?"
  }

  /// The program in the sentences of a sign-in: "return to …".
  var nameForUser: String { server.map { "\(SSHDestination.host(of: $0)) (ssh)" } ?? title }

  /// The program in one line.
  var title: String { isInContainer ? "\(name) in a container" : server.map { "\(name) to \($0)" } ?? name }

  /// Identifies the script that an interpreter runs: its path and its file.
  private static func script(of facts: ProcessFacts) -> String? {
    RequestingProgram.script(of: facts).map { "\($0.path)\n\(facts.scriptFile ?? "")" }
  }

  /// The options of ssh(1) with a value.
  private static let sshValues = "BbcDEeFIiJLlmOoPpQRSWw"

  /// Returns the first word of ssh's command line that is neither an option nor the value of one. If several connections
  /// share one ssh (ControlMaster), that has replaced its command line by the path of its socket.
  static func destination(of arguments: [String]) -> String? {
    let shared = "ssh: "
    if let title = arguments.first, title.hasPrefix(shared), title.hasSuffix(" [mux]") {
      return String(title.dropFirst(shared.count).dropLast(6))
    }
    var words = arguments.dropFirst().filter { !$0.isEmpty }[...]
    while let word = words.popFirst() {
      guard word.hasPrefix("-"), word != "-" else { return word }
      if word == "--" { return words.first }
      // Options without a value may stand before one that has a value, as in `-vp 22`.
      let letters = word.dropFirst()
      if let index = letters.firstIndex(where: sshValues.contains),
        letters.index(after: index) == letters.endIndex
      {
        _ = words.popFirst()
      }
    }
    return nil
  }
}

/// The words by which users name a machine for ssh.
enum SSHDestination {
  /// Returns the host of `USER@HOST` or of an address such as `ssh://USER@HOST:22`.
  static func host(of destination: String) -> String {
    let address = "ssh://"
    let isAddress = destination.hasPrefix(address)
    let place = isAddress ? String(destination.dropFirst(address.count)) : destination
    let host = place.parts(at: "@").last ?? place
    return isAddress && !host.hasPrefix("[") ? host.splitOnce(at: ":").0 : host
  }
}

extension AgentRequester: Hashable {
  static func == (left: AgentRequester, right: AgentRequester) -> Bool { left.identity == right.identity }
  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
