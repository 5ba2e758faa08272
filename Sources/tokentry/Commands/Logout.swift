import LoginCore

extension CommandRun {
  /// `tokentry logout --session NAME`: forgets the cookies that are kept under a name. A name under which nothing
  /// is kept is no error, since nothing is what was asked for.
  func logout(_ settings: Settings) throws(Failure) -> String {
    guard let name = try settings.sessionName else {
      throw .caller(
        .invalidOption(
          "logout needs --session", hint: "this version keeps cookies alone: there are no accounts yet"))
    }
    let folder = try SessionFolder.existing(name, under: environment.stateFolder)
    try folder?.remove()
    let object: JSONObject = ["session": .string(name.text), "forgotten": .bool(folder != nil)]
    return object.text + "\n"
  }
}
