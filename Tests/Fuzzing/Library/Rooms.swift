/// The rooms for modules that both programs share.
enum Rooms {
  static let all: [Room] = [
    .redirect, .callback, .addresses, .forms, .json, .token, .answers, .discovery, .keys, .jws, .claims,
    .challenge, .accounts, .names, .files, .preset, .html, .display, .redaction, .failures, .secrets, .window,
  ]
}
