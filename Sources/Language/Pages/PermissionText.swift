import LoginCore
import WindowProtocol

/// The text of the window that asks whether a program may have a token.
package struct PermissionText {
  package static let once: Message = "Allow _Once"
  package static let hour: Message = "Allow for One _Hour"
  package static let refuse: Message = "_Refuse"
  /// The notification of a question that the user has not seen yet.
  package static let waiting: Message = "A program is waiting for your permission."

  package let title: Message
  package let sentence: Message
  /// The sentence about the other people at the far end of an ssh connection.
  package let company: Message?

  package init(_ question: PermissionQuestion) {
    let program = Message(verbatim: question.program.forDisplay(limit: Self.longestName))
    let server = question.server.map { $0.forDisplay(limit: Self.longestName) }
    let asker = server.map { "\(program) to \($0)" } ?? program
    let account = question.account.forDisplay(limit: Self.longestName)
    let address = question.address.map { $0.forDisplay(limit: Self.longestText) }
    title = question.kind == .token ? "Allow access?" : "Allow this sign-in?"
    sentence =
      switch (question.kind, address) {
      case (.token, let address?): "\(asker) asks for a token of \(account), for \(address)."
      case (.token, nil): "\(asker) asks for a token of \(account), for any address."
      case (.signIn, let address?): "\(asker) wants you to sign in to \(account), for \(address)."
      case (.signIn, nil): "\(asker) wants you to sign in to \(account)."
      }
    company = server.map { "Everyone on \($0) with access to the socket there can use it, too." }
  }

  /// All of it, for a screen reader.
  package var whole: String { [sentence, company].compactMap(\.?.text).joined(separator: " ") }

  private static let longestName = 60
  private static let longestText = 200
}
