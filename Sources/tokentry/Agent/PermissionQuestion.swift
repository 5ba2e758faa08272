import Language
import LoginCore
import WindowProtocol

/// The question whether a program, perhaps on another machine, may have a token.
struct PermissionQuestion: Sendable, Equatable {
  enum Kind: Sendable {
    /// The program wants a token of an account that is signed in.
    case token
    /// The program wants the user to sign in first.
    case signIn
    /// The program wants a page to be opened.
    case page
    /// The program wants a page to be opened, and the answer of the login that begins there.
    case answer
  }

  /// A property of a sign-in that the program has chosen.
  enum Wish: Hashable, Sendable {
    case scope(String)
    case issuer(String)
    case provider(String)
    case resource(String)
    case client(String)
    /// The provider shows no page to a user who is signed in there (`prompt=none`).
    case silence

    fileprivate var text: String? {
      switch self {
      case .scope(let text), .issuer(let text), .provider(let text), .resource(let text), .client(let text):
        text
      case .silence: nil
      }
    }

    fileprivate var sentence: Message {
      let shown = (text ?? "").forDisplay(limit: PermissionQuestion.longestWish)
      return switch self {
      case .scope: "Permissions: \(shown)"
      case .issuer, .provider: "Sign-in page: \(shown)"
      case .resource: "Service: \(shown)"
      case .client: "Application: \(shown)"
      case .silence:
        "Without a page: if you are signed in there, the answer comes without a click of yours"
      }
    }
  }

  var kind: Kind
  /// The program's name, such as `ssh`.
  var program: String
  /// The destination of the ssh connection through which it asks. Everyone there who reaches the socket can ask as well.
  var server: String?
  /// True if the program sees another file system, in which it can choose its own name.
  var isInContainer = false
  var account: String
  /// The address that the token is for. nil for any.
  var address: String?
  /// The servers that the account is for, if the program names no address.
  var servers: [String] = []
  var wishes: [Wish] = []
  /// True if the user may also allow it for one hour.
  var offersHour: Bool

  private static let longestName = 60
  private static let longestText = 500
  /// The scopes of ten of Google's services have more than 500 characters.
  private static let longestWish = 1_000

  /// True if the user would see only a part of what the program has chosen, such as the beginning of a host or of a scope.
  var isCut: Bool {
    func isCut(_ text: String, at limit: Int) -> Bool {
      text.forDisplay(limit: .max) != text.forDisplay(limit: limit)
    }
    return address.map { isCut($0, at: Self.longestText) } ?? false
      || wishes.compactMap(\.text).contains { isCut($0, at: Self.longestWish) }
  }

  /// The page of the window. The refusal is its usual button.
  var page: Question {
    let program = Message(verbatim: self.program.forDisplay(limit: Self.longestName))
    let server = self.server.map { SSHDestination.host(of: $0).forDisplay(limit: Self.longestName) }
    let requester: Message =
      switch server {
      case _ where isInContainer: "\(program) in a container"
      case let server?: "A program on \(server), over ssh,"
      case nil: program
      }
    let account = self.account.forDisplay(limit: Self.longestName)
    let servers = self.servers.isEmpty ? nil : self.servers.joined(separator: ", ")
    let place = (address ?? servers).map { $0.forDisplay(limit: Self.longestText) }
    let sentence: Message =
      switch (kind, place) {
      case (.token, let place?): "\(requester) wants to use your account \"\(account)\" at \(place)."
      case (.token, nil): "\(requester) wants to use your account \"\(account)\"."
      case (.signIn, let place?):
        "\(requester) wants to sign in to the account \"\(account)\" at \(place) as you."
      case (.signIn, nil): "\(requester) wants to sign in to the account \"\(account)\" as you."
      case (.page, _): "\(requester) wants to open a page at \(place ?? "")."
      case (.answer, _): "\(requester) wants to sign in at \(place ?? "") as you."
      }
    let title: Message =
      switch kind {
      case .token: "Allow access?"
      case .signIn, .answer: "Allow this sign-in?"
      case .page: "Open this page?"
      }
    let company: Message? =
      if kind != .page, let server {
        "While you are connected, others with your login on \(server) can do this, too."
      } else {
        nil
      }
    let consequence: Message? =
      switch kind {
      case .token, .signIn: nil
      case .answer:
        "The page can lead to other sites, and the program can keep the access that you give there after its connection has ended."
      case .page: "What you approve there may be for this program."
      }
    let heading: Message? = wishes.isEmpty ? nil : "The program asks for:"
    let answers: [PermissionAnswer] = offersHour ? [.refuse, .once, .hour] : [.refuse, .once]
    var page = Question(
      .password, title, sentence,
      buttons: answers.map { Question.Button($0.rawValue, $0.label) })
    // No value passes for our own words.
    page.paragraphs = ([sentence, company, heading] + wishes.map(\.sentence) + [consequence])
      .compactMap(\.?.textWithIsolatedValues)
    page.isGuarded = true
    return page
  }

  /// Returns the answer of a user who pressed a button, or who closed the window.
  func answer(_ given: Question.Answer?) -> PermissionAnswer {
    let answer = given?.button.flatMap(PermissionAnswer.init) ?? .refuse
    return answer == .hour && !offersHour ? .once : answer
  }
}

extension LoginDescription {
  /// The parts of the request that the user should know before the sign-in.
  var wishes: [PermissionQuestion.Wish] {
    [
      issuer.map { .issuer($0) }, provider.map { .provider($0) }, resource.map { .resource($0) },
      clientID.map { .client($0) }, scope.map { .scope($0) },
    ].compactMap(\.self)
  }
}

extension ParameterList {
  /// The parts of a page's address that the user should know before it opens. Of a repeated one, the user sees all values.
  var wishes: [PermissionQuestion.Wish] {
    parameters.compactMap { parameter in
      switch parameter.name {
      case _ where parameter.value.isEmpty: nil
      case "client_id": .client(parameter.value)
      case "scope": .scope(parameter.value)
      case "prompt" where parameter.value.split(separator: " ").contains("none"): .silence
      default: nil
      }
    }
  }
}

/// The answer to a ``PermissionQuestion``.
enum PermissionAnswer: String, Sendable {
  case once, hour, refuse

  fileprivate var label: Message {
    switch self {
    case .once: "Allow _Once"
    case .hour: "Allow for 1 _Hour"
    case .refuse: "_Don't Allow"
    }
  }
}
