import GLibSupport
import Glibc
import LoginCore
import Platform

/// The set-up of the helpers that can write it.
struct SetUpWishes: WishGroup {
  var server: String?
  var isUndone = false

  static let rows = [
    text(\.server, "set-up", .text("SERVER"), "have the program ask this helper about a server"),
    flag(\.isUndone, "undo", "take back what --set-up has written"),
  ]
}

/// `tokentry helper git --set-up HOST`, and for docker and cargo: writes the line that has the program ask this helper about
/// a server, or takes it back. Everything else in the program's configuration stays.
struct SetUpCommand: Action {
  private let helper: String
  private let place: String
  private let isUndone: Bool
  /// The other options, which the program gives to its helper.
  private let options: [String]
  private let environment: Environment

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    let asked = wishes[SetUpWishes.self]
    guard let type = wishes.helper, let place = asked.server else { throw .defect() }
    (helper, self.place, environment) = (type.name, place, shared.environment)
    isUndone = asked.isUndone
    options = wishes.typed.filter { !SetUpWishes.options.contains($0.option) }.flatMap { given in
      given.option.takesValue ? [given.option.flag, given.text] : [given.option.flag]
    }
    if let argument = wishes.operands.first {
      throw Failure(.invalidOption, "unexpected argument \"\(argument, upTo: 60)\"")
    }
    if helper == DockerHelper.name, let option = options.first {
      throw Failure(.invalidOption, "docker gives its helper no arguments, such as \(option, upTo: 60)")
    }
    // With another character, cargo would refuse its whole configuration, or read more than a name.
    if helper == CargoHelper.name,
      !place.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "-_".utf8.contains($0) })
    {
      throw .takes(SetUpWishes.flag("set-up"), "the name of a registry, as in [registries.NAME]")
    }
  }

  @GLibActor
  func text() async throws(Failure) -> String {
    switch helper {
    case GitHelper.name: try await setUpGit()
    case DockerHelper.name:
      try await edit(try path("DOCKER_CONFIG", else: "~/.docker"), "config.json", docker)
    default:
      let folder = try path("CARGO_HOME", else: "~/.cargo")
      // If both are there, cargo reads only the one with the old name.
      let isOld = access("\(folder)/config", F_OK) == 0
      try await edit(folder, isOld ? "config" : "config.toml", cargo)
    }
    return ""
  }

  /// Returns the path in a variable, or else the usual one.
  private func path(_ variable: String, else usual: String) throws(Failure) -> String {
    if let path = environment[variable] { return path }
    return try environment.path(usual)
  }

  private func setUpGit() async throws(Failure) {
    // Git would take an empty HOME for `/`.
    _ = try path("GIT_CONFIG_GLOBAL", else: "~/.gitconfig")
    let address = place.startOfAuthority == nil ? "https://\(place)" : place
    // The exclamation mark has git run it in a shell.
    let command = "!" + ["tokentry", Command.helper.rawValue, helper].joined(separator: " ")
    let words = ["git", "config", "--global"]
    let key = "credential.\(address).helper"
    // Git runs its helper in a shell.
    let value = ([command] + options.map(\.shellWordIfNeeded)).joined(separator: " ")
    let ours = "^\(command)( |$)"
    let process = try failing(
      DetachedProcess(
        words + (isUndone ? ["--unset-all", key, ours] : ["--replace-all", key, value, ours]))
    ) { (error: SystemError) in
      Failure(.invalidConfiguration, "git cannot be started: \(error.message)")
    }
    // Git ends with 5 if there is nothing to take back.
    let status = await process.status(within: .seconds(10))
    guard status == 0 || isUndone && status == 5 else {
      throw Failure(
        .invalidConfiguration, "git config ended with status \(status ?? -1)",
        hint: "`git config --global --list` shows what is wrong")
    }
  }

  /// Replaces a file of the user with its edited text. If a link leads to the file, the link stays. A file that is not there
  /// counts as empty.
  private func edit(
    _ folder: String, _ name: String, _ edit: (_ text: String) throws(Failure) -> String
  ) async throws(Failure) {
    let path = "\(folder)/\(name)"
    var status = stat()
    let isThere = stat(path, &status) == 0
    let old =
      isThere
      ? try await InputFile(SetUpWishes.option("set-up"), path).readOwn(limit: 1 << 20, othersMayRead: true)
      : []
    guard let text = String(validating: old, as: UTF8.self) else { throw .notUTF8(path) }
    let new = try edit(text)
    if new == text { return }
    mkdir(folder, 0o700)
    let mode = isThere ? status.st_mode & 0o777 : 0o600
    try failing(TokenFile(OpenFile.target(of: path)).replace(with: new, mode: mode)) { (error: FileError) in
      .file(SetUpWishes.flag("set-up"), error)
    }
  }

  private func docker(_ text: String) throws(Failure) -> String {
    var object = JSONObject()
    if !text.isEmpty {
      object = try JSONReader.members(of: Array(text.utf8), maximumSize: 1 << 20) { error in
        Failure(.invalidConfiguration, "docker's configuration cannot be read: \(error)")
      }
    }
    guard var helpers = (object["credHelpers"] ?? .object([:])).object else {
      throw Failure(
        .invalidConfiguration, "docker's configuration cannot be read: credHelpers is not an object")
    }
    let old = helpers[place].map { $0.string ?? $0.text }
    if let old, old != "tokentry" {
      throw Failure(.invalidConfiguration, "docker asks the helper \"\(old, upTo: 60)\" about \(place)")
    }
    if (old != nil) != isUndone { return text }
    helpers[place] = isUndone ? nil : "tokentry"
    object["credHelpers"] = helpers.isEmpty ? nil : .object(helpers)
    return JSONValue.object(object).indented() + "\n"
  }

  private func cargo(_ text: String) throws(Failure) -> String {
    let provider = (["tokentry"] + options).map { JSONValue.string($0).text }.joined(separator: ", ")
    let (table, key, ours) = ("registries.\(place)", "credential-provider", #"["tokentry""#)
    var lines = text.parts(at: "\n")
    let start = lines.firstIndex { $0.tableName == table }
    let end = start.flatMap { lines[($0 + 1)...].firstIndex { $0.tableName != nil } } ?? lines.endIndex
    if !isUndone, start == nil, lines.contains(where: { $0.isKey(place) || $0.isKey(table) }) {
      throw Failure(
        .invalidConfiguration, "cargo's configuration has \(place) in another form than [\(table)]")
    }
    if let start, let old = lines[start..<end].firstIndex(where: { $0.isKey(key) }) {
      guard lines[old].holds(ours) else {
        throw Failure(.invalidConfiguration, "cargo has another credential-provider for \(place)")
      }
      lines.remove(at: old)
      // A table that this command has made goes with its only line.
      if isUndone, lines[(start + 1)..<(end - 1)].allSatisfy({ $0.isEmpty }) { lines.remove(at: start) }
    }
    if !isUndone {
      let line = "\(key) = [\(provider)]"
      if let start {
        lines.insert(line, at: start + 1)
      } else {
        if lines.last == "" { lines.removeLast() }
        lines += ["[\(table)]", line, ""]
      }
    }
    return lines.joined(separator: "\n")
  }
}

/// A line of TOML.
extension String {
  private var withoutBlanksAndQuotes: String { filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" } }

  /// The name in a header such as `[registries."acme"]  # ours`.
  fileprivate var tableName: String? {
    let (header, rest) = withoutBlanksAndQuotes.splitOnce(at: "]")
    guard header.hasPrefix("["), let rest, rest.isEmpty || rest.hasPrefix("#") else { return nil }
    return header.withoutFirstByte
  }

  /// True if the line sets this key or a part of it.
  fileprivate func isKey(_ key: String) -> Bool {
    let line = withoutBlanksAndQuotes
    return line.hasPrefix(key + "=") || line.hasPrefix(key + ".")
  }
}

extension JSONValue {
  /// The value as docker writes it, with a tab for each level.
  fileprivate func indented(_ margin: String = "") -> String {
    let inner = margin + "\t"
    switch self {
    case .object(let object) where !object.isEmpty:
      let members = object.map { "\(inner)\(JSONValue.string($0.name).text): \($0.value.indented(inner))" }
      return "{\n\(members.joined(separator: ",\n"))\n\(margin)}"
    case .array(let elements) where !elements.isEmpty:
      return "[\n\(elements.map { inner + $0.indented(inner) }.joined(separator: ",\n"))\n\(margin)]"
    default: return text
    }
  }
}
