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
      .configuration(.postedInTest), "invalid_configuration", "a headless test reads no answer that is posted"
    ),
    Row(
      .configuration(.notWith("--agent", .code)), "invalid_configuration",
      "--agent does not go with a code for another device"),
    Row(
      .configuration(.notWith("--agent", .nobody)), "invalid_configuration",
      "--agent does not go with a login that asks nobody"),
    Row(
      .configuration(.wayOfDeviceGrant(.paste)), "invalid_configuration", "the device grant knows no paste",
      hint: "add --grant code, or leave --agent out"),
    Row(
      .configuration(.noUser), "invalid_configuration", "it is not said whose password it is",
      hint: "add --login-hint USER"),
    Row(
      .configuration(.noPassword), "invalid_configuration", "there is no password",
      hint: "--password-file, TOKENTRY_PASSWORD or --request gives it"),
    Row(
      .configuration(.outputWithoutToken("header", idToken)), "invalid_configuration",
      "--output header hands over an access token, and response_type id_token brings none"),
    Row(
      .configuration(.outputWithoutUser("xoauth2")), "invalid_configuration",
      "--output xoauth2 needs to know the user", hint: "add --login-hint USER"),
    Row(
      .configuration(.outputOfBoundToken("header")), "invalid_configuration",
      "--output header cannot hand over the key that the token is bound to",
      hint: "use --output json, or let `tokentry request` send what the token is wanted for"),
    Row(.configuration(.gitUser), "invalid_configuration", "git_user of the preset is no name of a user"),
    Row(
      .configuration(.noAccountForGit("git")), "invalid_configuration",
      #"there is no account "git" yet, and no client to sign in with"#,
      hint: "add --client-id ID to the helper, or sign in with `tokentry login --account 'git'`"),
    Row(
      .configuration(.nowhere(needed: .userinfo)), "invalid_configuration", "it is not said whom to ask",
      hint: "name a --provider, an --issuer or an --userinfo-endpoint, or see `tokentry --help`"),
    Row(
      .configuration(.nowhere(needed: .authorization)), "invalid_configuration",
      "it is not said where to sign in",
      hint: "name a --provider, an --issuer or an --authorization-endpoint, or see `tokentry --help`"),
    Row(
      .configuration(.variableWithoutProvider("host")), "invalid_configuration",
      "--var host is given without a --provider"),
    Row(
      .configuration(.noKeptClient), "invalid_configuration",
      "there is no client identifier, and no client is kept for this provider",
      hint: "--client-id names one, and `tokentry register` has the provider make one"),
    Row(
      .configuration(.noRefreshToken), "invalid_configuration",
      "the token cannot be renewed: it came without a refresh token"),
    Row(
      .configuration(.noTokenToAsk), "invalid_configuration", "there is no token to ask with",
      hint: "--account names a kept one, and --token-file takes what `tokentry login` printed"),
    Row(
      .configuration(.accountSays), "invalid_configuration",
      "--account says which provider and which token it is"),
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
      "invalid_configuration", "/a.json:3: a variable's name is made of letters, digits and underscores"),
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
    Row(.run(.signal("SIGTERM")), "cancelled", "the signal SIGTERM ended it", origin: .caller),
    Row(.run(.signal("SIGINT")), "cancelled", "the signal SIGINT ended it"),
    Row(.run(.callerGone), "cancelled", "the program that started it has gone"),
    Row(.run(.deadline(seconds: 300)), "timeout", "nobody signed in within 300 s"),
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
