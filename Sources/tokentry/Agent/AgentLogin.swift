import LoginCore

/// A program's wish that the person at home signs in.
struct AgentLogin: Sendable {
  let name: AccountName
  /// The command line of the login, without `--store` and the options about the window.
  let arguments: [String]
  /// The servers that the account will be for, for the question.
  let purpose: String?

  init(_ members: inout AgentRequest.Members) throws(Failure) {
    name = try members.requiredAccount()
    var words = [Command.login.rawValue, "\(Option.account.flag)=\(name)"]
    for option in [Option.resource, .provider, .issuer, .clientID, .scope] {
      guard let value = try members.text(option.member) else { continue }
      // Files of this machine are none of the other side's business.
      if option == .provider, value.contains("/") || value.contains(".") {
        throw .malformed("provider is not the name of a preset")
      }
      words += ["\(option.flag)=\(value)"]
    }
    let origins = try members.texts(Option.origins.member)
    words += origins.map { "\(Option.origins.flag)=\($0)" }
    arguments = words
    purpose = origins.isEmpty ? nil : origins.joined(separator: ", ")
  }

  /// Refuses a login that cannot work, and one that would replace an account of another provider or client.
  func check(_ kept: Account?, _ run: Composition) throws(Failure) {
    try NewLogin(try Invocation(arguments).settings, run).checkRepetition(of: kept)
  }
}
