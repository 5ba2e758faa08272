import Foundation
import TestSupport
import Testing

@Suite("Git and its helper", .blocking)
struct GitHelperTests {
  private func ready(life: Int = 3_600, hosts: String? = nil) throws -> Services {
    let services = try Services(life: life)
    try services.writePreset(hosts: hosts)
    return services
  }

  private func ask(
    _ services: Services, _ operation: String, _ more: String = "", options: [String] = [],
    _ variables: [String: String] = [:]
  ) throws -> Outcome {
    try services.run(
      ["helper", "git"] + options + [operation],
      input: "protocol=http\nhost=127.0.0.1:\(services.port)\n" + more + "\n", variables)
  }

  private func account(_ services: Services) -> String { "git:127.0.0.1:\(services.port)" }

  @Test("A kept token is a password with the preset's user name and the time of its end")
  func get() throws {
    let services = try ready()
    try services.logIn(account(services))
    for more in ["", "username=x-token\n", "path=a.git\nfuture=1\ncapability[]=state\n"] {
      let outcome = try ask(services, "get", more)
      #expect(outcome.status == 0, "\(outcome.messages)")
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.prefix(2) == ["username=x-token", "password=T1"])
      let expiry = lines.last.flatMap { Int($0.dropFirst("password_expiry_utc=".count)) } ?? 0
      #expect(abs(expiry - Int(Date.now.timeIntervalSince1970) - 3_600) < 60)
      #expect(!outcome.output.contains("R1"))
    }
  }

  @Test("Each user of a host has an account, and the case of the host name does not matter")
  func users() throws {
    let services = try ready()
    let host = "localhost:\(services.port)"
    for user in ["", "ann@"] { try services.logIn("git:\(user)\(host)", ["--for", "http://\(host)"]) }
    let password = { (host: String, user: String) in
      try services.run(
        ["helper", "git", "get"], input: "protocol=http\nhost=\(host)\n\(user)\n",
        ["GIT_TERMINAL_PROMPT": "0"]
      ).output.split(separator: "\n").first { $0.hasPrefix("password=") }
    }
    let refreshed = try services.run(["token", "--account", "git:ann@\(host)", "--min-valid", "100000"])
    #expect(refreshed.accessToken == "T2", "\(refreshed.messages)")
    for host in [host, host.uppercased()] {
      #expect(try password(host, "") == "password=T1")
      #expect(try password(host, "username=ann\n") == "password=T2")
    }
  }

  @Test("A bearer token is handed out only if git and the server both support it")
  func bearer() throws {
    let services = try ready()
    try services.logIn(account(services))
    let (knows, asks) = ("capability[]=authtype\n", "wwwauth[]=Bearer realm=\"git\"\n")
    let outcome = try ask(services, "get", knows + asks)
    #expect(outcome.output.contains("authtype=Bearer\ncredential=T1\nephemeral=1\n"))
    #expect(!outcome.output.contains("password="))
    for more in [knows, asks, knows + "wwwauth[]=Basic realm=\"git\"\n"] {
      #expect(try ask(services, "get", more).output.contains("password=T1\n"))
    }
  }

  @Test("erase makes the next get refresh the token, but ignores other tokens")
  func erase() throws {
    let services = try ready()
    try services.logIn(account(services))
    for more in ["", "username=x-token\npassword=other\n", "username=x-token\n"] {
      #expect(try ask(services, "erase", more).status == 0)
      #expect(try ask(services, "get").output.contains("password=T1\n"))
    }
    let erased = try ask(services, "erase", "username=x-token\npassword=T1\n")
    #expect(erased.status == 0 && erased.output.isEmpty)
    #expect(try ask(services, "get").output.contains("password=T2\n"))
    #expect(try ask(services, "store", "username=x-token\npassword=T9\n").output.isEmpty)
    #expect(try ask(services, "get").output.contains("password=T2\n"))
  }

  @Test("A server cannot erase the token of another host")
  func eraseElsewhere() throws {
    let services = try ready()
    try services.logIn("work", ["--for", "https://git.example"])
    let helper = { (operation: String, host: String) in
      let request = "protocol=https\nhost=\(host)\nusername=x-token\n"
      return try services.run(
        ["helper", "git", operation], input: request + (operation == "erase" ? "password=T1\n\n" : "\n"))
    }
    for (host, token) in [("other.example", "T1"), ("git.example", "T2")] {
      #expect(try helper("get", "git.example").output.contains("password=T1\n"))
      #expect(try helper("erase", host).status == 0)
      #expect(try helper("get", "git.example").output.contains("password=\(token)\n"), "\(host)")
    }
  }

  @Test("Without an account the user signs in, unless that is forbidden")
  func login() throws {
    let services = try ready()
    for variables in [["GIT_TERMINAL_PROMPT": "0"], [:]] {
      let options = ["--client-id", "me"] + (variables.isEmpty ? ["--silent"] : [])
      let outcome = try ask(services, "get", options: options, variables)
      #expect(outcome.status == 8)
      #expect(outcome.output.isEmpty)
    }
    let unregistered = try ask(services, "get")
    #expect(unregistered.status == 2)
    #expect(unregistered.messages.contains("--client-id"))
    let outcome = try ask(services, "get", options: ["--client-id", "me", "--headless-test"])
    #expect(outcome.output.contains("password=T101\n"), "\(outcome.messages)")
    let page = try #require(services.provider.requests.first { $0.path == "/a" })
    #expect(page.target.contains("scope=read%20write"), "the preset's git_scope")
    #expect(try ask(services, "get").output.contains("password=T101\n"))
  }

  @Test("A token goes to no other host, and never over plain http")
  func hosts() throws {
    let services = try ready(hosts: "git.example")
    try services.logIn("work")
    let named = try ask(services, "get", options: ["--account", "work"])
    #expect(named.status == 2)
    #expect(named.output.isEmpty)
    #expect(try ask(services, "get").output.isEmpty)
    let options = ["helper", "git", "--account", "work", "get"]
    #expect(try services.run(options, input: "protocol=http\nhost=git.example\n").output.isEmpty)
    #expect(try services.run(options, input: "protocol=ssh\nhost=git.example\n").output.isEmpty)
    #expect(
      try services.run(options, input: "url=https://ann@git.example/a.git\n\n").output.contains("password=T1")
    )
  }

  @Test("An operation of a later git is ignored")
  func later() throws {
    let outcome = try ask(try ready(), "teleport")
    #expect(outcome.status == 0)
    #expect(outcome.output.isEmpty)
  }

  @Test("Git clones and pushes, and fails once after the server has revoked the token")
  func git() throws {
    let services = try ready()
    try services.logIn(account(services))
    let git = try Git(services)
    try git.run("init", "--bare", "--quiet", services.folder + "/repositories/a.git")
    try git.run("-C", services.folder + "/repositories/a.git", "config", "http.receivepack", "true")
    let clone = services.folder + "/clone"
    try git.run("clone", "--quiet", services.base + "/git/a.git", clone)
    try git.run("-C", clone, "commit", "--quiet", "--allow-empty", "-m", "one")
    try git.run("-C", clone, "push", "--quiet", "origin", "HEAD:main")
    // The kept token has not expired, so git gets it, and returns it when the server refuses it.
    try services.accept("T2")
    try git.run("-C", clone, "commit", "--quiet", "--allow-empty", "-m", "two")
    #expect(throws: Git.Fault.self) { try git.run("-C", clone, "push", "--quiet", "origin", "HEAD:main") }
    try git.run("-C", clone, "push", "--quiet", "origin", "HEAD:main")
    let commits = try git.run("-C", services.folder + "/repositories/a.git", "rev-list", "--count", "main")
    #expect(commits == "2\n")
    #expect(services.log.contains("POST /git/a.git/git-receive-pack Basic x-token"))
  }
}

/// The real git, with the real program as its only credential helper.
private struct Git {
  private let environment: [String: String]

  struct Fault: Error {
    let messages: String
  }

  init(_ services: Services) throws {
    let helper = try Tokentry.path()
    environment = services.environment.merging([
      "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_COUNT": "3",
      "GIT_CONFIG_KEY_0": "credential.helper", "GIT_CONFIG_VALUE_0": "\(helper) helper git --silent",
      "GIT_CONFIG_KEY_1": "user.name", "GIT_CONFIG_VALUE_1": "Ann",
      "GIT_CONFIG_KEY_2": "user.email", "GIT_CONFIG_VALUE_2": "ann@mail.example",
      "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "/bin/false",
    ]) { $1 }
  }

  @discardableResult
  func run(_ arguments: String...) throws -> String {
    let outcome = try Command.run(["/usr/bin/git"] + arguments, environment: environment)
    guard outcome.status == 0 else { throw Fault(messages: outcome.messages) }
    return outcome.output
  }
}
