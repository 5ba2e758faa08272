import LoginCore

@testable import Wording

/// Programs that ask for a token in their own protocols.
extension WordTable {
  static let helper: [Row] = [
    Row(
      .helper(.unknownHelper("dokcer", nearest: "docker")), "invalid_option",
      #"there is no helper "dokcer""#, hint: "did you mean docker?"),
    Row(
      .helper(.unknownHelper("fish", nearest: nil)), "invalid_option", #"there is no helper "fish""#,
      hint: "`tokentry helper` lists them"),
    Row(
      .helper(.noAccount("https://h.test")), "origin_not_allowed", "no account is meant for https://h.test",
      hint: "`tokentry login --account NAME --for ORIGIN` says for which servers an account is"),
    Row(
      .helper(.noAccountForAPI("https://h.test")), "origin_not_allowed",
      "no account is meant for https://h.test", hint: "`tokentry login --resource URL` signs in to an API"),
    Row(
      .helper(.goesOn("https://h.test/mcp")), "already_in_progress",
      "a token for https://h.test/mcp takes longer than this program may wait",
      hint: "sign in where a window or a browser asks for it: the next call has the token"),
    Row(
      .helper(.severalAccounts(["a", "b"], "h.test")), "invalid_configuration",
      #"several accounts are meant for h.test: "a", "b""#,
      hint: "name one with --account, or as the user where the program asks for one"),
    Row(
      .helper(.otherDestination(account: "a", "h.test")), "origin_not_allowed",
      #"the account "a" is not meant for h.test"#,
      hint: "`tokentry login --account NAME --for ORIGIN` says for which servers an account is"),
    Row(
      .helper(.boundToken), "invalid_configuration",
      "the token is bound to a key, and this program can send no proof of it",
      hint: "keep an account whose token is not bound"),
    Row(
      .helper(.noIdentity(account: "work")), "invalid_configuration",
      #"the account "work" has no id_token"#,
      hint: "sign in to it again with openid in --scope; kubernetes takes --access-token as well"),
    Row(
      .helper(.unknownCluster), "invalid_configuration", "it is not said which cluster the token is for",
      hint: "set provideClusterInfo: true beside the command, or add --account NAME to its args"),
    Row(.helper(.malformed(caller: "docker")), "invalid_option", "what docker says cannot be read"),
    Row(
      .helper(.notHere(caller: "terraform", "store")), "invalid_option",
      "terraform: store is not possible here: accounts are made with `tokentry login`"),
  ]
}
