import Foundation
import TestSupport
import Testing

@Suite("Setting up a helper", .blocking)
struct SetUpTests {
  private let folder = TemporaryFolder()

  private func setUp(_ helper: String, _ arguments: String...) throws -> Outcome {
    try Tokentry.run(
      ["helper", helper, "--set-up"] + arguments,
      environment: ["HOME": folder.path, "CARGO_HOME": "", "DOCKER_CONFIG": ""])
  }

  private func text(_ file: String) throws -> String {
    try String(contentsOfFile: folder.path + "/" + file, encoding: .utf8)
  }

  @Test("git gets a line with the helper's options, once, and other helpers stay")
  func git() throws {
    _ = try folder.write("[credential \"https://git.example\"]\n\thelper = cache\n", to: ".gitconfig")
    let helpers = {
      try Command.run(
        ["/usr/bin/git", "config", "--file", folder.path + "/.gitconfig", "--get-all"]
          + ["credential.https://git.example.helper"]
      ).output
    }
    for client in ["old", "it's"] {
      #expect(try setUp("git", "git.example", "--client-id", client, "--dpop").status == 0)
    }
    #expect(try helpers() == "cache\n!tokentry helper git --client-id 'it'\\''s' --dpop\n")
    for _ in 1...2 { #expect(try setUp("git", "git.example", "--undo").status == 0) }
    #expect(try helpers() == "cache\n")
  }

  @Test("docker's file keeps its other members, and another program's helper stays")
  func docker() throws {
    #expect(try setUp("docker", "registry.example").status == 0)
    #expect(
      try text(".docker/config.json")
        == "{\n\t\"credHelpers\": {\n\t\t\"registry.example\": \"tokentry\"\n\t}\n}\n")
    #expect(try setUp("docker", "registry.example", "--undo").status == 0)
    #expect(try text(".docker/config.json") == "{}\n")
    let other = "{\"n\": 1.50, \"credHelpers\": {\"registry.example\": \"pass\"}}"
    _ = try folder.write(other, to: ".docker/config.json")
    for more in [[], ["--undo"]] {
      let outcome = try Tokentry.run(
        ["helper", "docker", "--set-up", "registry.example"] + more, environment: ["HOME": folder.path])
      #expect(outcome.status == 2 && outcome.messages.contains("pass"), "\(outcome)")
    }
    for strange in ["{\"credHelpers\": [\"a\"]}", "{\"credHelpers\": {\"registry.example\": [\"a\"]}}"] {
      _ = try folder.write(strange, to: ".docker/config.json")
      #expect(try setUp("docker", "registry.example").status == 2)
      #expect(try text(".docker/config.json") == strange)
    }
    _ = try folder.write(other, to: ".docker/config.json")
    #expect(try setUp("docker", "second.example").status == 0)
    #expect(try text(".docker/config.json").contains("\t\"n\": 1.50,\n"))
    #expect(try setUp("docker", "a.example", "--account", "work").status == 2)
  }

  /// A configuration that the program edits.
  struct Configuration: Sendable {
    let helper, server, folder, name: String

    static let all = [
      Configuration(helper: "docker", server: "a.example", folder: ".docker", name: "config.json"),
      Configuration(helper: "cargo", server: "acme", folder: ".cargo", name: "config.toml"),
    ]
    var path: String { folder + "/" + name }
  }

  private func mode(_ file: String) throws -> mode_t {
    var status = stat()
    try #require(stat(folder.path + "/" + file, &status) == 0)
    return status.st_mode & 0o777
  }

  @Test(
    "A link to a configuration stays, and the file behind it keeps its mode", arguments: Configuration.all)
  func linked(_ place: Configuration) throws {
    for name in ["files", place.folder] { mkdir(folder.path + "/" + name, 0o700) }
    let old = place.helper == "docker" ? "{}\n" : "[net]\noffline = true\n"
    try folder.write(old, to: "files/real", mode: 0o644)
    symlink("../files/real", folder.path + "/" + place.path)
    #expect(try setUp(place.helper, place.server).status == 0)
    #expect(folder.text(of: "files/real").contains("tokentry") && folder.text(of: "files/real") != old)
    #expect(try setUp(place.helper, place.server, "--undo").status == 0)
    #expect(
      folder.text(of: "files/real").trimmingCharacters(in: .newlines) == old.trimmingCharacters(in: .newlines)
    )
    #expect(try mode("files/real") == 0o644)
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/" + place.path)
    #expect(link == "../files/real")
  }

  @Test("A folder may be a link, and a new file is the user's alone", arguments: Configuration.all)
  func linkedFolder(_ place: Configuration) throws {
    mkdir(folder.path + "/files", 0o700)
    symlink("files", folder.path + "/" + place.folder)
    #expect(try setUp(place.helper, place.server).status == 0)
    #expect(folder.text(of: "files/" + place.name).contains("tokentry"))
    #expect(try mode("files/" + place.name) == 0o600)
  }

  @Test(
    "A link that leads nowhere or to another user's file is refused with a hint", arguments: Configuration.all
  )
  func wrongLinks(_ place: Configuration) throws {
    for name in ["files", place.folder] { mkdir(folder.path + "/" + name, 0o700) }
    try folder.write("", to: "files/theirs", mode: 0o644)
    let isRoot = geteuid() == 0 && chown(folder.path + "/files/theirs", 65_534, 65_534) == 0
    let link = folder.path + "/" + place.path
    for target in ["../files/none", place.name] + (isRoot ? ["../files/theirs"] : []) {
      unlink(link)
      symlink(target, link)
      let outcome = try setUp(place.helper, place.server)
      #expect(outcome.status == 2 && outcome.messages.contains("tokentry: hint: "), "\(outcome)")
      let words =
        target.hasSuffix("theirs")
        ? "files/theirs belongs to the user" : "is a symbolic link that leads to no file"
      #expect(outcome.messages.contains(words), "\(outcome)")
      #expect(folder.text(of: "files/theirs").isEmpty && !folder.contains("files/none"))
    }
  }

  @Test("Without HOME, no file is written", arguments: ["git", "docker", "cargo"])
  func homeless(helper: String) throws {
    let outcome = try Tokentry.run(
      ["helper", helper, "--set-up", "acme"], environment: ["HOME": "", "XDG_CONFIG_HOME": ""])
    #expect(outcome.status == 2 && outcome.messages.contains("HOME"), "\(outcome)")
  }

  @Test("Of two files of cargo's, the one that cargo reads is edited")
  func oldCargo() throws {
    mkdir(folder.path + "/.cargo", 0o700)
    try folder.write("[net]\n", to: ".cargo/config", mode: 0o644)
    try folder.write("", to: ".cargo/config.toml")
    #expect(try setUp("cargo", "acme").status == 0)
    #expect(folder.text(of: ".cargo/config").contains("credential-provider = [\"tokentry\"]\n"))
    #expect(try setUp("cargo", "acme", "--undo").status == 0)
    #expect(folder.text(of: ".cargo/config") == "[net]\n" && folder.text(of: ".cargo/config.toml").isEmpty)
    #expect(try mode(".cargo/config") == 0o644)
    // As cargo recommends for its versions before 1.38.
    unlink(folder.path + "/.cargo/config")
    symlink("config.toml", folder.path + "/.cargo/config")
    #expect(try setUp("cargo", "acme").status == 0)
    #expect(folder.text(of: ".cargo/config.toml").contains("tokentry"))
  }

  @Test(
    "cargo's table is found in every form of its header, and other forms are refused",
    arguments: [
      ("[registries.\"acme\"]\n", true), ("[registries.acme] # ours\n", true),
      ("  [ registries . acme ]\n", true),
      ("[registries.acme]\r\n", true), ("[registries]\nacme = { index = \"i\" }\n", false),
      ("registries.acme.index = \"i\"\n", false), ("[registries]\n\"acme\".index = \"i\"\n", false),
    ])
  func spellings(table: String, isFound: Bool) throws {
    let rest = "credential-providers = 1\n\n[net]\nx = 1\n"
    mkdir(folder.path + "/.cargo", 0o700)
    _ = try folder.write(table + rest, to: ".cargo/config.toml")
    for _ in 1...2 {
      #expect(try setUp("cargo", "acme").status == (isFound ? 0 : 2))
      let line = isFound ? "credential-provider = [\"tokentry\"]\n" : ""
      #expect(try text(".cargo/config.toml") == table + line + rest)
    }
    #expect(try setUp("cargo", "acme", "--undo").status == 0)
    #expect(try text(".cargo/config.toml") == table + rest)
  }

  @Test(
    "cargo's file takes only the name of a registry",
    arguments: ["a b", "a]\n[x", "a.b", "https://a.example"])
  func noRegistry(name: String) throws {
    let outcome = try setUp("cargo", name)
    #expect(outcome.status == 2 && outcome.messages.contains("--set-up takes"), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/.cargo"))
  }

  @Test("cargo's table gets a line, and a table that has nothing else goes with it")
  func cargo() throws {
    #expect(try setUp("cargo", "acme", "--account", "work").status == 0)
    let line = "credential-provider = [\"tokentry\", \"--account\", \"work\"]\n"
    #expect(try text(".cargo/config.toml") == "[registries.acme]\n" + line)
    #expect(try setUp("cargo", "acme", "--undo").status == 0)
    #expect(try text(".cargo/config.toml").isEmpty)
    let table = "[registries.acme]\nindex = \"sparse+https://a/\"\n\n[net]\noffline = true\n"
    _ = try folder.write(table, to: ".cargo/config.toml")
    for _ in 1...2 { #expect(try setUp("cargo", "acme", "--account", "work").status == 0) }
    #expect(
      try text(".cargo/config.toml")
        == table.replacingOccurrences(of: "acme]\n", with: "acme]\n" + line))
    #expect(try setUp("cargo", "acme", "--undo").status == 0)
    #expect(try text(".cargo/config.toml") == table)
  }
}
