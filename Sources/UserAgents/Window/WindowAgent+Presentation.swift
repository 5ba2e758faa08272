import LoginWays

extension WindowAgent {
  /// How the window presents itself.
  public struct Presentation: Sendable {
    /// What the title bar says, if not what it says by default.
    public var title: String?
    /// For whom somebody signs in.
    package var requester: Requester?
    /// Whether the user has no way to close it.
    public var hasNoClose = false
    /// The languages in which pages are asked for, the best first; none for those of the environment.
    package var languages: [String] = []
    /// The window of the caller that it belongs to.
    package var parent: ParentWindow?
    /// Where cookies are kept; without it nothing is.
    public var cookies: CookieFolder?
    /// Whether the user is not to be asked: then nothing is shown.
    public var isSilent = false
    /// Certificates in PEM by the hosts for which they are accepted.
    public var trust: [String: String] = [:]
    /// How it draws its pages at first.
    package var rendering = Rendering.standard
    /// How large the window and its pages are.
    package var layout = WindowLayout()
    /// Whether the window stays as large, whatever its page needs.
    package var hasFixedSize = false
    /// The end of the time in which the login waits.
    package var deadline: LoginDeadline?

    /// Whether the browser hands the answer back by itself, to which the user may change over.
    public var comesBack = false

    /// The window as it is by default.
    public init() {}
  }

  /// A private folder that cookies are kept in.
  public struct CookieFolder: Sendable {
    /// Its absolute path.
    public let folder: String
    /// What keeps others from using it, for as long as that lives.
    private let lock: any Sendable

    /// The folder is in use for as long as the agent is.
    public init(folder: String, lock: any Sendable) {
      self.folder = folder
      self.lock = lock
    }
  }
}
