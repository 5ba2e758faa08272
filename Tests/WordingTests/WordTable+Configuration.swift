import LoginWays
import Wording

@testable import LoginCore

/// What does not fit together, and what ends a run.
extension WordTable {
  static let configuration: [Row] = [
    Row(
      .configuration(.contradiction("--silent", "--force")), "invalid_configuration",
      "--silent and --force contradict each other"),
    Row(
      .configuration(.standardInputTwice("--request", "--token-file")), "invalid_configuration",
      "--request and --token-file cannot both read standard input"),
    Row(
      .configuration(.testsOnly("--headless-user")), "invalid_configuration",
      "--headless-user takes the place of a user in tests", hint: "add --headless-test"),
    Row(
      .configuration(.postedInTest), "invalid_configuration",
      "a headless test cannot read an answer that is posted"
    ),
    Row(
      .configuration(.notWith("--agent", .code)), "invalid_configuration",
      "--agent does not go with a code for another device"),
    Row(
      .configuration(.notWith("--agent", .nobody)), "invalid_configuration",
      "--agent does not go with a login that asks nobody"),
    Row(
      .configuration(.wayOfDeviceGrant(.paste)), "invalid_configuration",
      "the device grant does not use pasting",
      hint: "add --grant code, or leave --agent out"),
    Row(
      .configuration(.noUser), "invalid_configuration", "it is not clear whose password this is",
      hint: "add --login-hint USER"),
    Row(
      .configuration(.noPassword), "invalid_configuration", "the password is missing",
      hint: "give it with --password-file, TOKENTRY_PASSWORD or --request"),
    Row(
      .configuration(.outputWithoutToken("header", idToken)), "invalid_configuration",
      "--output header needs an access token, and response_type id_token brings none"),
    Row(
      .configuration(.outputWithoutUser("xoauth2")), "invalid_configuration",
      "--output xoauth2 needs to know the user", hint: "sign in with --login-hint USER"),
    Row(
      .configuration(.outputOfBoundToken("header")), "invalid_configuration",
      "--output header cannot hand over the key that the token is bound to",
      hint: "use --output json, or let `tokentry request` send what the token is wanted for"),
    Row(.configuration(.gitUser), "invalid_configuration", "the preset's git_user is not a user name"),
    Row(
      .configuration(.noAccountForGit("git")), "invalid_configuration",
      #"there is no account "git" yet, and no client to sign in with"#,
      hint: "add --client-id ID to the helper, or sign in with `tokentry login --account 'git'`"),
    Row(
      .configuration(.nowhere(needed: .userinfo)), "invalid_configuration", "no provider was given to ask",
      hint: "give --provider, --issuer or --userinfo-endpoint; see `tokentry --help`"),
    Row(
      .configuration(.nowhere(needed: .authorization)), "invalid_configuration",
      "no provider was given to sign in to",
      hint: "give --provider, --issuer or --authorization-endpoint; see `tokentry --help`"),
    Row(
      .configuration(.variableWithoutProvider("host")), "invalid_configuration",
      "--var host is given without a --provider"),
    Row(
      .configuration(.noKeptClient), "invalid_configuration",
      "no client identifier was given, and no client is kept for this provider",
      hint: "--client-id names one, and `tokentry register` has the provider make one"),
    Row(
      .configuration(.lacks(.userinfo)), "invalid_configuration",
      "the provider's userinfo endpoint is not known", hint: "add --userinfo-endpoint URL"),
    Row(
      .configuration(.notAskedFor(.authorization)), "invalid_configuration",
      "the provider's authorization endpoint is not known",
      hint: "login asks the provider for it, explain asks nobody: add --authorization-endpoint URL"),
    Row(
      .configuration(.noRefreshToken), "invalid_configuration",
      "the token cannot be renewed: it came without a refresh token"),
    Row(
      .configuration(.noTokenToAsk), "invalid_configuration", "there is no token to ask with",
      hint: "--account names a kept one, and --token-file takes what `tokentry login` printed"),
    Row(
      .configuration(.accountSays), "invalid_configuration",
      "--account already says which provider and which token"),
    Row(
      .configuration(.noPort), "invalid_configuration",
      "a browser can come back to this machine only if --redirect-uri has a port"),
    Row(
      .configuration(.unknownProvider("vkk", nearest: "vk")), "unknown_provider",
      #"there is no provider "vkk""#, hint: "did you mean vk?"),
    Row(
      .configuration(.unknownProvider("x", nearest: nil)), "unknown_provider", #"there is no provider "x""#,
      hint: "`tokentry providers` lists the presets"),
    Row(
      .configuration(.preset(path: "/a.json", PresetFault(line: 3, reason: .variableName))),
      "invalid_configuration", "/a.json:3: a variable's name must be made of letters, digits and underscores"),
    Row(
      .configuration(.presetFile(FileFault(path: "/a.json", reason: .open(isFolder: false)))),
      "invalid_configuration", "/a.json can be read or written by other users", hint: "chmod 600 /a.json"),
    Row(
      .configuration(.session(.noHome)), "invalid_configuration",
      "--session: there is no place to keep it in", hint: "set HOME or XDG_STATE_HOME"),
    Row(
      .configuration(.session(.file(FileFault(path: "/a", reason: .open(isFolder: true))))),
      "invalid_configuration", "--session: /a can be read or written by other users", hint: "chmod 700 /a"),
    Row(
      .configuration(.session(.removedMeanwhile("mail"))), "invalid_configuration",
      "--session: mail was removed at the same time"),
    Row(
      .configuration(.session(.stays(FileFault(path: "/a", reason: .system(16))))), "invalid_configuration",
      "--session: it cannot be removed: /a: Device or resource busy"),
    Row(.run(.signal("SIGTERM")), "cancelled", "it was ended by the signal SIGTERM", origin: .caller),
    Row(
      .run(.signal("SIGPWR")), "cancelled", "it was ended by the signal SIGPWR", origin: .caller),
    Row(.run(.signal("SIGQUIT")), "cancelled", "it was ended by the signal SIGQUIT"),
    Row(.run(.signal("SIGINT")), "cancelled", "it was ended by the signal SIGINT"),
    Row(.run(.callerGone), "cancelled", "the program that started it has ended"),
    Row(
      .run(.heldUp(seconds: 5)), "timeout",
      "another program that is using the account was not done within 5 s"),
    Row(
      .run(.unanswered(host: "as.test", seconds: 5)), "timeout", "5 s were over before as.test had answered",
      origin: .network),
    Row(
      .run(.unread(seconds: 5)), "timeout", "5 s were over before all of the input was there",
      origin: .caller,
      isRetryable: false),
    Row(.run(.deadline(seconds: 300)), "timeout", "nobody signed in within 300 s"),
    Row(
      .run(.deadline(seconds: 3, awaiting: try? RedirectURI("app.example:/done"))), "timeout",
      "nobody signed in within 3 s",
      hint:
        "no browser came back to app.example:/done: if somebody did sign in, check that the provider knows this "
        + "redirect URI"),
    Row(
      .run(.deadline(seconds: 3, .browserFailed(command: "firefox"))), "timeout",
      "nobody signed in within 3 s: the browser could not be opened: \"firefox\" failed",
      hint: "see --browser and BROWSER"),
    Row(.run(.outputClosed), "output_failed", "the result could not be written: standard output is closed"),
    Row(.run(.output(28)), "output_failed", "the result could not be written: No space left on device"),
    Row(
      .run(.sessionInUse("mail")), "already_in_progress", #"the session "mail" is in use by another login"#),
    Row(.run(.unfit(.noUser, [])), "no_user_agent", "no login can reach its user here"),
    Row(.run(.unfit(.noProvider, [])), "no_user_agent", "no login can reach its provider here"),
    Row(
      .run(.missingLibrary("libsoup-3.0.so.0: cannot open shared object file")), "internal_error",
      "a library that tokentry needs cannot be used: libsoup-3.0.so.0: cannot open shared object file"),
    Row(.run(.crash), "internal_error", "a defect in tokentry: it crashed"),
    Row(.run(.nobodyWaits), "cancelled", "no sign-in waits for this answer"),
  ]
}
