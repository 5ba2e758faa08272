import LoginWays
import Wording

@testable import LoginCore

/// What is wrong with a command line, or with a request document.
extension WordTable {
  static let commandLine: [Row] = [
    Row(
      .commandLine(.unknownCommand("lgin", nearest: "login")), "invalid_option",
      #"there is no command "lgin""#, hint: "did you mean login?"),
    Row(
      .commandLine(.unknownCommand("x", nearest: nil)), "invalid_option", #"there is no command "x""#,
      hint: "see `tokentry --help`"),
    Row(
      .commandLine(.unknownOption("--scop", nearest: "--scope")), "invalid_option",
      "there is no option --scop", hint: "did you mean --scope?"),
    Row(
      .commandLine(.unknownOption("--x", nearest: nil)), "invalid_option", "there is no option --x",
      hint: "see `tokentry --help`"),
    Row(
      .commandLine(.secretOption("--password")), "invalid_option",
      "--password does not exist: every user of the machine can read a command line",
      hint: "use --password-file, --request or TOKENTRY_PASSWORD"),
    Row(
      .commandLine(.secretOption("--refresh-token")), "invalid_option",
      "--refresh-token does not exist: every user of the machine can read a command line",
      hint: "--request - reads a secret from standard input"),
    Row(
      .commandLine(.secretOption("--client-secret")), "invalid_option",
      "--client-secret does not exist: every user of the machine can read a command line",
      hint: "use --client-secret-file, --request or TOKENTRY_CLIENT_SECRET"),
    Row(
      .commandLine(.unexpectedWord("vk", of: "login")), "invalid_option", #""vk" is not expected here"#,
      hint: "a value with spaces needs quotes; see `tokentry login --help`"),
    Row(
      .commandLine(.unexpectedWord("email", of: nil)), "invalid_option", #""email" is not expected here"#,
      hint: "a value with spaces needs quotes; see `tokentry --help`"),
    Row(.commandLine(.takesNoValue("--quiet")), "invalid_option", "--quiet takes no value"),
    Row(.commandLine(.needsValue("--scope")), "invalid_option", "--scope needs a value"),
    Row(
      .commandLine(.notOf("--scope", command: "accounts")), "invalid_option",
      "--scope is not an option of accounts", hint: "see `tokentry accounts --help`"),
    Row(
      .commandLine(.belongs("--width", to: "--demo")), "invalid_option",
      "--width only makes sense with --demo"),
    Row(.commandLine(.givenTwice("--scope")), "invalid_option", "--scope is given twice"),
    Row(.commandLine(.nameGivenTwice("--var", name: "host")), "invalid_option", #"--var gives "host" twice"#),
    Row(
      .commandLine(.wants("--title", .cleanText)), "invalid_option",
      "--title takes UTF-8 text without control characters"),
    Row(.commandLine(.wants("--timeout", .seconds)), "invalid_option", "--timeout takes a number of seconds"),
    Row(.commandLine(.wants("--param", .pair("NAME=VALUE"))), "invalid_option", "--param takes NAME=VALUE"),
    Row(
      .commandLine(.wants("--trust", .pair("HOST=CERT.pem"))), "invalid_option", "--trust takes HOST=CERT.pem"
    ),
    Row(.commandLine(.wants("quiet", .flag)), "invalid_option", "quiet takes true or false"),
    Row(.commandLine(.wants("scope", .string)), "invalid_option", "scope takes a string"),
    Row(.commandLine(.wants("scopes", .strings)), "invalid_option", "scopes takes strings"),
    Row(.commandLine(.wants("timeout", .number)), "invalid_option", "timeout takes a number"),
    Row(
      .commandLine(.wants("resource", .stringOrStrings)), "invalid_option",
      "resource takes a string or an array of strings"),
    Row(.commandLine(.wants("params", .pairs)), "invalid_option", "params takes an object of strings"),
    Row(
      .commandLine(.wants("trust", .pairsOfStrings)), "invalid_option", "trust takes strings as its values"),
    Row(.commandLine(.wants("param", .pairNames)), "invalid_option", "param takes names without = and :"),
    Row(.commandLine(.wants("token", .token)), "invalid_option", "token takes a token as login printed it"),
    Row(
      .commandLine(.wants("--response-type", .responseType)), "invalid_option",
      "--response-type takes code, token, id_token or several of them"),
    Row(
      .commandLine(.wants("--resource", .resource)), "invalid_option",
      "--resource takes an absolute URI without a fragment"),
    Row(
      .commandLine(.wants("--resource", .apiAddress)), "invalid_option",
      "--resource takes the address of one API, if nobody says who issues its tokens"),
    Row(
      .commandLine(.wants("--authorization-details", .authorizationDetails)), "invalid_option",
      "--authorization-details takes a file with a JSON array of objects, each with a type (RFC 9396)"),
    Row(.commandLine(.wants("--store", .store)), "invalid_option", "--store takes keyring or file:PATH"),
    Row(
      .commandLine(.wants("--account", .accountName(limit: 200))), "invalid_option",
      "--account takes one line of visible text of at most 200 bytes"),
    Row(.commandLine(.wants("--session", .sessionName)), "invalid_option", "--session: the name is too long"),
    Row(
      .commandLine(.wants("--browser", .command)), "invalid_option",
      "--browser takes a command, quoted as for a shell"),
    Row(
      .commandLine(.wants("--parent-window", .parentWindow)), "invalid_option",
      "--parent-window takes x11: with a window's number in hexadecimal, or wayland: with a handle"),
    Row(
      .commandLine(.wants("--window-size", .windowSize)), "invalid_option",
      "--window-size takes a width and a height, each from 200 to 10000, such as 960x720"),
    Row(
      .commandLine(.wants("--trust", .oneCertificate(found: 0))), "invalid_option",
      "--trust: the file holds no certificate"),
    Row(
      .commandLine(.wants("--trust", .oneCertificate(found: 2))), "invalid_option",
      "--trust: the file holds several certificates"),
    Row(
      .commandLine(.choice("--agent", of: ["window", "browser"], nearest: "window")), "invalid_option",
      "--agent takes window, browser", hint: "did you mean window?"),
    Row(
      .commandLine(.choice("--agent", of: ["window", "browser"], nearest: nil)), "invalid_option",
      "--agent takes window, browser"),
    Row(
      .commandLine(.address("", text: "ftp://h.test", .notAbsolute)), "invalid_option",
      #""ftp://h.test" is not an absolute URL"#),
    Row(
      .commandLine(.address("--issuer", text: "a", .notAbsolute)), "invalid_option",
      #"--issuer: "a" is not an absolute URL"#),
    Row(
      .commandLine(.address("--issuer", text: "a", .notHTTPS)), "invalid_option",
      #"--issuer: "a" is not https (plain http is for loopback addresses only)"#),
    Row(
      .commandLine(.address("--issuer", text: "a", .forbiddenScheme("javascript"))), "invalid_option",
      #"--issuer: "a" is a URL with the scheme javascript, to which no provider can redirect"#),
    Row(
      .commandLine(.address("--issuer", text: "a", .fragment)), "invalid_option",
      #"--issuer: "a" is a URL with a fragment"#),
    Row(
      .commandLine(.address("--issuer", text: "a", .query)), "invalid_option",
      #"--issuer: "a" is a URL with a query"#),
    Row(
      .commandLine(.address("--issuer", text: "a", .notAnOrigin)), "invalid_option",
      #"--issuer: "a" is more than a scheme, a host and a port"#),
    Row(
      .commandLine(.address("--issuer", text: "a", .credentials)), "invalid_option",
      #"--issuer: "a" is a URL with a user name in it"#),
    Row(
      .commandLine(.address("--issuer", text: "a", .illegalCharacter)), "invalid_option",
      #"--issuer: "a" is a URL with a character that must be escaped (in hosts: punycode)"#),
    Row(
      .commandLine(.address("--issuer", text: "a", .dotSegment)), "invalid_option",
      #"--issuer: "a" is a URL with . or .. as a part of its path"#),
    Row(
      .commandLine(.address("--issuer", text: "a", .notPublic)), "invalid_option",
      "--issuer: \"a\" is an address on this machine or in a private network, which a server elsewhere may not name"
    ),
    Row(
      .commandLine(.address("--issuer", text: "a", .ambiguousHost)), "invalid_option",
      #"--issuer: "a" is a URL whose host is an IP address in an unusual form"#),
    Row(
      .commandLine(.address("--issuer", text: "a", .portNumber)), "invalid_option",
      "--issuer: \"a\" is a URL whose port is not a number from 1 to 65535"),
    Row(
      .commandLine(.address("--issuer", text: "a", .port)), "invalid_option",
      #"--issuer: "a" is a URL with a port that browsers block"#),
    Row(
      .commandLine(.reservedParameter("--param scope", option: "--scope")), "invalid_option",
      "--param scope: the request sets this parameter itself", hint: "use --scope"),
    Row(
      .commandLine(.reservedParameter("--param code", option: nil)), "invalid_option",
      "--param code: the request sets this parameter itself"),
    Row(
      .commandLine(
        .file("--client-secret-file", .unusable(FileFault(path: "/a", reason: .open(isFolder: false))))),
      "invalid_option", "--client-secret-file: /a can be read or written by other users", hint: "chmod 600 /a"
    ),
    Row(
      .commandLine(.file("--request", .unusable(FileFault(path: "/a", reason: .writable)))), "invalid_option",
      "--request: other users can change what is in /a", hint: "chmod go-w /a"),
    Row(
      .commandLine(.file("--request", .unusable(FileFault(path: "/etc", reason: .shared)))), "invalid_option",
      "--request: /etc is shared with other users", hint: "use a folder of your own, made with mkdir -m 700"
    ),
    Row(
      .commandLine(.file("--request", .unreadable(path: "/a", "Is a directory"))), "invalid_option",
      "--request: /a cannot be read: Is a directory"),
    Row(
      .commandLine(.file("--request", .tooLarge(path: "/a", limit: 1_000))), "invalid_option",
      "--request: /a is larger than 1000 bytes"),
    Row(
      .commandLine(.file("--client-secret-file", .notOneLine(path: "/a"))), "invalid_option",
      "--client-secret-file: /a does not hold one line of text"),
    Row(
      .commandLine(.file("--client-secret-file", .standardInput)), "invalid_option",
      "--client-secret-file: standard input is not a file",
      hint: "--request - reads a secret from standard input"),
    Row(
      .commandLine(.file("--token-file", .noToken)), "invalid_option",
      "--token-file: this is not a token as login prints it"),
    Row(
      .commandLine(.notUTF8("--data")), "invalid_option", "--data: the text is not UTF-8"),
    Row(
      .commandLine(.lacks(command: "logout", .options(["--issuer", "--client-id"]))), "invalid_option",
      "logout needs --issuer and --client-id"),
    Row(
      .commandLine(.lacks(command: "request", .address)), "invalid_option",
      "request needs the address of what is asked for"),
    Row(
      .commandLine(.lacks(command: "helper headers", .url)), "invalid_option",
      "helper headers needs the address of an API",
      hint: "add it, or set CLAUDE_CODE_MCP_SERVER_URL as Claude Code does"),
    Row(
      .commandLine(.lacks(command: "logout", .accountOrSession)), "invalid_option",
      "logout needs --account or --session", hint: "`tokentry accounts` lists the accounts that are kept"),
    Row(
      .commandLine(.lacks(command: "git-credential", .gitOperation)), "invalid_option",
      "git-credential needs get, store or erase", hint: "git adds it itself"),
    Row(
      .commandLine(.document(JSONFault(reason: .tooLarge, line: 1))), "invalid_option",
      "--request: line 1: the document is too large"),
    Row(
      .commandLine(.document(JSONFault(reason: .tooDeep, line: 2))), "invalid_option",
      "--request: line 2: objects and arrays are nested too deeply"),
    Row(
      .commandLine(.document(JSONFault(reason: .notUTF8, line: 3))), "invalid_option",
      "--request: line 3: the text is not UTF-8"),
    Row(
      .commandLine(.document(JSONFault(reason: .unexpectedEnd, line: 4))), "invalid_option",
      "--request: line 4: the document ends too early"),
    Row(
      .commandLine(.document(JSONFault(reason: .unexpectedCharacter("}"), line: 5))), "invalid_option",
      "--request: line 5: \"}\" is not allowed here"),
    Row(
      .commandLine(.document(JSONFault(reason: .unexpectedCharacter("\""), line: 5))), "invalid_option",
      "--request: line 5: '\"' is not allowed here"),
    Row(
      .commandLine(.document(JSONFault(reason: .unexpectedCharacter("\u{FEFF}"), line: 1))), "invalid_option",
      "--request: line 1: U+FEFF is not allowed here"),
    Row(
      .commandLine(.document(JSONFault(reason: .trailingComma, line: 5))), "invalid_option",
      "--request: line 5: there is a comma before the closing bracket"),
    Row(
      .commandLine(.noProgram("--browser", name: "firfox")), "invalid_option",
      "--browser: there is no program \"firfox\""),
    Row(
      .commandLine(.document(JSONFault(reason: .trailingCharacters, line: 6))), "invalid_option",
      "--request: line 6: there is more after the end of the document"),
    Row(
      .commandLine(.document(JSONFault(reason: .notAnObject, line: 7))), "invalid_option",
      "--request: line 7: the document is not a JSON object"),
    Row(
      .commandLine(.document(JSONFault(reason: .controlCharacterInString, line: 8))), "invalid_option",
      "--request: line 8: a control character in a string must be escaped"),
    Row(
      .commandLine(.document(JSONFault(reason: .invalidEscape, line: 9))), "invalid_option",
      "--request: line 9: this escape does not exist in JSON"),
    Row(
      .commandLine(.document(JSONFault(reason: .loneSurrogate, line: 10))), "invalid_option",
      "--request: line 10: half a surrogate pair"),
    Row(
      .commandLine(.document(JSONFault(reason: .repeatedName("scope"), line: 11))), "invalid_option",
      #"--request: line 11: the member "scope" appears twice"#),
    Row(
      .commandLine(.unknownMember("scop", nearest: "scope")), "invalid_option",
      #"--request: unknown member "scop""#, hint: #"did you mean "scope"?"#),
    Row(
      .commandLine(.unknownMember("x", nearest: nil)), "invalid_option", #"--request: unknown member "x""#
    ),
    Row(.commandLine(.git(.nul)), "invalid_option", "what git says cannot be read: there is a NUL in it"),
    Row(
      .commandLine(.git(.noAttribute)), "invalid_option",
      "what git says cannot be read: a line is not an attribute"),
    Row(
      .commandLine(.git(.carriageReturn)), "invalid_option",
      "what git says cannot be read: there is a carriage return in it"),
    Row(.commandLine(.git(.noURL)), "invalid_option", "what git says cannot be read: its url is not a URL"),
    Row(
      .commandLine(.git(.controlCharacters)), "invalid_option",
      "what git says cannot be read: its url has control characters"),
  ]
}
