import Foundation
import Testing
import WindowProtocol

@testable import LoginCore
@testable import SignIn

@Suite("ProviderProfile")
struct ProviderProfileTests {
  private func preset(_ text: String) throws(JSONError) -> Preset {
    try Preset(Array(text.utf8), extra: ExtraMembers(of: ProviderProfile.self))
  }

  @Test("Every member is read and filled in")
  func everyMember() throws {
    let preset = try preset(
      """
      {"variables":{"server":"the server"},"ways":["window","browser","device","paste"],
       "window_size":"960x720","git_hosts":["{server}","git.test"],"git_user":"x-token",
       "git_scope":"read write","registry_user":"x-registry"}
      """)
    let provider = try preset.provider(variables: ["server": "acme.test/git"], clientID: "1")
    let profile = provider.profile
    #expect(profile.ways == [.window, .browser, .device, .paste])
    #expect(profile.windowSize == WindowSize("960x720"))
    #expect(profile.gitHosts == ["acme.test", "git.test"])
    #expect(profile.gitScope == "read write")
    #expect(profile.gitUser == "x-token" && profile.registryUser == "x-registry")
    #expect(profile.json == provider.extra)
  }

  @Test("A preset without these members has the defaults")
  func defaults() throws {
    let profile = try preset("{}").provider(variables: [:], clientID: "1").profile
    #expect(profile.ways.isEmpty && profile.windowSize == nil && profile.gitHosts.isEmpty)
    #expect(profile.gitUser == "oauth2" && profile.registryUser == nil)
  }

  @Test(
    "A wrong value is refused with its line",
    arguments: [
      (#""ways":["telnet"]"#, #""telnet" is not one of window, browser, device, paste"#),
      (#""ways":"window""#, "ways must be an array, not a string"),
      (
        #""window_size":"10x10""#,
        "window_size must be a width and a height, each from 200 to 10000, such as 960x720"
      ), (#""git_host":["a"]"#, #"unknown member "git_host", did you mean "git_hosts"?"#),
      (#""git_hosts":["{nobody}"]"#, "git_hosts: {nobody} is not a variable of this preset"),
    ])
  func wrong(member: String, reason: String) {
    let error = #expect(throws: JSONError.self) { try preset("{\n\(member)}") }
    #expect(error?.description == "line 2: \(reason)")
  }

  @Test("A git host is compared as a whole and without regard to case", arguments: ["git.test", "GIT.Test"])
  func gitHosts(own: String) throws {
    let profile = try #require(ProviderProfile(lenient: ["git_hosts": [.string(own)]]))
    #expect(profile.serves(gitHost: "git.test") && profile.serves(gitHost: "Git.TEST"))
    for host in ["evilgit.test", "a.git.test", "git.test.evil.test", "git.tes", "git.test:81", ""] {
      #expect(!profile.serves(gitHost: host), "\(host)")
    }
  }
}

/// The members of a preset: those for a login, and those for our programs.
@Suite("The members of a preset")
struct PresetMemberTests {
  private static let kinds = Provider.members + ProviderProfile.members

  private static func text(_ path: String) throws -> String {
    let root = (1...4).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test("Every member has its own name")
  func unique() {
    let names = Self.kinds.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test("Our members do not look like misspelt ones of the core, so programs without them can skip them")
  func similar() {
    for member in ProviderProfile.members {
      #expect(nearestName(to: member.name, among: Provider.members.map(\.name)) == nil, "\(member.name)")
    }
  }

  @Test("The schema has the same members with the same kinds and choices")
  func schema() throws {
    let text = try Self.text("data/schema/provider.schema.json")
    let schema = try #require(try JSONReader.read(Array(text.utf8)).object)
    let definitions = try #require(schema["$defs"]?.object)
    compare(.object(schema), Self.kinds, "the preset", definitions)
  }

  /// Compares a kind with its part of the schema, which may be a reference to a definition.
  private func compare(
    _ schema: JSONValue?, _ kind: MemberKind, _ name: String, _ definitions: JSONObject
  ) {
    var schema = schema?.object ?? [:]
    while let place = schema["$ref"]?.string {
      schema["$ref"] = nil
      let further = definitions[String(place.dropFirst("#/$defs/".count))]?.object ?? [:]
      for member in further { schema[member.name] = member.value }
    }
    let type = schema["type"]?.string
    switch kind {
    case .text: #expect(type == "string" && schema["enum"] == nil, "\(name)")
    case .flag: #expect(type == "boolean", "\(name)")
    case .oneOf(let choices):
      #expect(schema["enum"]?.array?.compactMap(\.string).sorted() == choices.sorted(), "\(name)")
    case .list(let element):
      #expect(type == "array", "\(name)")
      compare(schema["items"], element, "\(name)[]", definitions)
    case .texts:
      #expect(type == "object", "\(name)")
      compare(schema["additionalProperties"], .text, "\(name).*", definitions)
    case .object(let type): compare(.object(schema), type.members, name, definitions)
    case .number, .members: Issue.record("\(name)")
    }
  }

  private func compare(
    _ schema: JSONValue, _ members: [(name: String, kind: MemberKind)], _ name: String,
    _ definitions: JSONObject
  ) {
    let schema = schema.object ?? [:]
    #expect(schema["type"] == "object" && schema["additionalProperties"] == false, "\(name)")
    let properties = schema["properties"]?.object ?? [:]
    #expect(properties.map(\.name).sorted() == members.map(\.name).sorted(), "\(name)")
    for (member, kind) in members { compare(properties[member], kind, "\(name).\(member)", definitions) }
  }

  @Test("The man page has the same members with the same kinds")
  func manPage() throws {
    let page = try Self.text("data/man/tokentry-provider.5")
    var described: [String: String] = [:]
    for line in page.split(separator: "\n") where line.hasPrefix(".It Va ") {
      let parts = line.dropFirst(".It Va ".count).components(separatedBy: " Pq ")
      for name in parts[0].components(separatedBy: " , ") {
        #expect(described.updateValue(parts.count > 1 ? parts[1] : "address", forKey: name) == nil, "\(name)")
      }
    }
    #expect(described.keys.sorted() == Self.kinds.map(\.name).sorted())
    for (name, kind) in Self.kinds {
      let words = try #require(Self.words(for: kind), "\(name)")
      #expect(words.contains(described[name] ?? ""), "\(name)")
    }
  }

  /// The man page's words for a kind, of one member or of several that it describes together.
  private static func words(for kind: MemberKind) -> Set<String>? {
    switch kind {
    case .text: ["string", "address"]
    case .oneOf: ["string"]
    case .flag: ["boolean"]
    case .list(.text): ["array of strings", "arrays of strings", "array of addresses"]
    case .list(.oneOf): ["array of strings"]
    case .texts: ["object of strings"]
    case .object: ["object", "objects"]
    case .list, .number, .members: nil
    }
  }
}

/// The members of an account's document that are for our programs.
@Suite("Account, for our programs")
struct AccountExtraTests {
  private func account(_ origins: [String] = [], preset: [String] = [], git: [String] = []) throws -> Account
  {
    var provider = Provider()
    provider.apiOrigins = try preset.map { text throws(Message) in try Origin(text) }
    provider.extra = ["git_hosts": .array(git.map(JSONValue.string))]
    var account = Account(
      try #require(AccountName("work")),
      login: LoginRequest(
        provider: provider, clientID: "me", redirectURI: try RedirectURI("https://app.test/cb")),
      token: try #require(Token(json: ["access_token": "T", "token_type": "Bearer"])),
      receivedAt: try #require(UTCDate(secondsSince1970: 0)))
    account.origins = try origins.map { text throws(Message) in try Origin(text) }
    return account
  }

  private func isMeant(_ account: Account, for text: String) throws -> Bool {
    account.isMeant(for: try Destination(text))
  }

  @Test("A token is for the servers of its account or, if the account names none, for those of its preset")
  func origins() throws {
    let own = try account(["https://a.test"], preset: ["https://api.test"], git: ["git.test"])
    #expect(try isMeant(own, for: "https://a.test/x"))
    #expect(try !isMeant(own, for: "https://api.test/") && !isMeant(own, for: "https://git.test/"))
    let usual = try account(preset: ["https://api.test"], git: ["git.test:81", "127.0.0.1:80"])
    for text in ["https://api.test/", "https://git.test:81/", "http://127.0.0.1:80/"] {
      #expect(try isMeant(usual, for: text), "\(text)")
    }
    #expect(try !isMeant(usual, for: "https://git.test/"))
    #expect(try !isMeant(account(), for: "https://as.test/"), "the provider itself is not implied")
  }

  @Test("The token of an account for one API is for that API only, whatever resources its request names")
  func resource() throws {
    var account = try account()
    account.login.parameters = [Parameter("resource", "https://other.test/")]
    #expect(try isMeant(account, for: "https://other.test/x"))
    account.resource = try ProtectedResource("https://api.test/mcp")
    #expect(try isMeant(account, for: "https://api.test/mcp"))
    #expect(try !isMeant(account, for: "https://other.test/x"))
  }

  @Test("The cookies' name and the doubt about a token without an expiry are kept in the document")
  func document() throws {
    var account = try account()
    #expect(account.session == nil && account.assumesUnexpired && account.extra.isEmpty)
    account.session = "mail"
    account.assumesUnexpired = false
    let text = String(decoding: account.document, as: UTF8.self)
    #expect(text.hasSuffix(#","session":"mail","token_assume_unexpired":false}"#))
    let again = try Account(document: account.document, of: account.name)
    #expect(again.session == "mail" && !again.assumesUnexpired)
    account.assumesUnexpired = true
    account.session = nil
    #expect(account.extra.isEmpty)
  }
}
