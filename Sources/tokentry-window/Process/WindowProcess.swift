import CLinux
import CWebKitGTK
import GLibSupport
import Glibc
import Language
import LoginCore
import WindowProtocol

/// The life of `tokentry-window`: it reads what to open, shows it, reports what happens, and ends when the
/// program that started it ends.
package enum WindowProcess {
  /// Runs until the window is closed. Returns an exit status only if no window was opened.
  package static func run() -> Int32 {
    let streams = StandardStreams()
    ProcessGroup.lead()
    ProcessGroup.endOnQuit()
    ProcessEnvironment.prepare()
    let hasSilentBus = MessageBus.disableSilentBuses()
    setLimits()
    Sandbox.reportStartFailure(to: streams.output)
    return GLibActor.run {
      let signals = [SIGINT, SIGTERM, SIGHUP].map { Source.signal($0) { ProcessGroup.end() } }
      defer { _ = signals }
      let preferences = hasSilentBus ? nil : await DesktopPreferences.read()
      closeToOtherPrograms()
      let caller = CallerLink(streams)
      switch await caller.next() {
      case .open(let opening):
        return await show(opening, preferences, hasSilentBus: hasSilentBus, for: caller)
      case .check:
        if let reason = Sandbox.refusal(withSilentBus: hasSilentBus) { return refuse(reason, to: caller) }
        caller.send(.checked(engine: engine, sandboxFault: Sandbox.fault))
        return 0
      default:
        caller.send(.failed(error: "invalid_option", description: WindowRefusal.noPage.description))
        return 2
      }
    }
  }

  /// The name by which desktops find our icon: Wayland's application id, X11's class, and the name of the
  /// desktop entry.
  static let applicationID = "org.tokentry.Tokentry"

  private static func setLimits() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    signal(SIGPIPE, SIG_IGN)
    // Swift would start a program that reads the memory of this one.
    for crash in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT] { signal(crash, SIG_DFL) }
    umask(0o077)  // WebKit's processes write the session's files, which are for this user only
    g_set_prgname(applicationID)
  }

  /// Keeps other programs of the user from reading this process's memory. Called before the first command,
  /// which is the first thing worth reading, but after the settings portal has answered: it answers only
  /// programs whose process it can inspect.
  private static func closeToOtherPrograms() {
    // The portal of a Flatpak always inspects the caller, and no other application runs in that sandbox.
    if !Flatpak.isAround { _ = linux_set_dumpable(0) }
  }

  /// Gives back the memory that the program's own code takes, most of which only the start needs: three of
  /// the seven megabytes that this program takes beyond a bare program with WebKit.
  static func releaseStartupCode() { _ = linux_release_code() }

  private static var engine: String {
    "WebKitGTK \(webkit_get_major_version()).\(webkit_get_minor_version()).\(webkit_get_micro_version())"
  }

  @GLibActor
  private static func refuse(_ reason: String, to caller: CallerLink) -> Int32 {
    caller.send(.failed(error: "window_failed", description: reason))
    return 7
  }

  @GLibActor
  private static func show(
    _ opening: WindowOpening, _ preferences: DesktopPreferences?,
    hasSilentBus: Bool, for caller: CallerLink
  ) async -> Int32 {
    let policy: NavigationPolicy?
    do throws(Message) {
      policy = opening.showsPages ? try opening.policy() : nil
    } catch {
      caller.send(
        .failed(error: "invalid_option", description: WindowRefusal.redirectURI(error).description))
      return 2
    }
    if policy != nil, let reason = Sandbox.refusal(withSilentBus: hasSilentBus) {
      return refuse(reason, to: caller)
    }
    ProcessEnvironment.setRendering(opening.options.rendering)
    ProcessEnvironment.allowNegotiation(with: opening.options.negotiate)
    guard gtk_init_check(nil, nil) != 0 else {
      caller.send(.failed(error: "no_display", description: WindowRefusal.noDisplay.description))
      return 7
    }
    // GTK does this itself only where its own catalogues are installed.
    if Language.isRightToLeft { gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL) }
    ProcessEnvironment.handOverActivationToken()
    if opening.explanation == nil { caller.endWithCaller() }
    DesktopPreferences.watchTheme()
    preferences?.apply()
    let window = LoginWindow(opening) { caller.send($0) }
    caller.send(.ready(protocolVersion: WindowEvent.protocolVersion))
    if hasSilentBus { caller.send(.warning(WindowRefusal.silentBus.description)) }
    if let policy { window.open(policy) }
    if let explanation = opening.explanation {
      window.explain(explanation)
      _ = await FirstResult<Void, Never>().result()  // never comes: the window ends the process
    }
    while let command = await caller.next() { window.obey(command) }
    ProcessGroup.end()
  }
}
