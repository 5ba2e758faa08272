import CWebKitGTK
import GLibSupport
import Glibc
import LoginCore
import LoginWays
import Wording

/// The life of `tokentry-window`: it is told what to open, shows it, tells what happens, and is gone within a
/// moment when the program that started it is.
public enum WindowProcess {
  /// Runs until the window is closed. Returns only if there has never been a window.
  public static func run() -> Int32 {
    let streams = StandardStreams()
    OwnGroup.lead()
    Surroundings.clear()
    let question = DesktopPreferences.ask()
    Surroundings.close()
    OwnGroup.endOnQuit()
    Sandbox.explainEnd(to: streams.output)
    return GLibActor.run {
      let signals = [SIGINT, SIGTERM, SIGHUP].map { Source.signal($0) { OwnGroup.end() } }
      defer { _ = signals }
      let caller = CallerLink(streams)
      switch await caller.next() {
      case .open(let opening): return await show(opening, question, for: caller)
      case .check:
        if let reason = Sandbox.refusal(withSilentBus: MessageBus.settle()) {
          return refuse(reason, to: caller)
        }
        caller.send(.checked(engine: engine, sandboxFault: Sandbox.fault))
        return 0
      default:
        caller.send(.failed(error: "invalid_option", description: WindowRefusal.noPage.source))
        return 2
      }
    }
  }

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
    _ opening: WindowOpening, _ question: DesktopPreferences.Question?, for caller: CallerLink
  ) async -> Int32 {
    let policy: NavigationPolicy?
    do throws(AddressFault) {
      policy = opening.showsPages ? try opening.policy() : nil
    } catch {
      caller.send(.failed(error: "invalid_option", description: WindowRefusal.redirectURI(error).source))
      return 2
    }
    let hasSilentBus = MessageBus.settle()
    if policy != nil, let reason = Sandbox.refusal(withSilentBus: hasSilentBus) {
      return refuse(reason, to: caller)
    }
    Surroundings.choose(opening.rendering)
    guard gtk_init_check(nil, nil) != 0 else {
      caller.send(.failed(error: "no_display", description: WindowRefusal.noDisplay.source))
      return 7
    }
    // GTK's own catalogues say it too, where they are installed.
    if Language.isRightToLeft { gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL) }
    Activation.take()
    caller.watch()
    let desktop = DesktopPreferences(question)
    defer { withExtendedLifetime(desktop) {} }
    let window = LoginWindow(opening) { caller.send($0) }
    caller.send(.ready(protocolVersion: WindowEvent.protocolVersion))
    if hasSilentBus { caller.send(.warning(WindowRefusal.silentBus.source)) }
    if let policy { window.open(policy) }
    while let command = await caller.next() { window.obey(command) }
    OwnGroup.end()
  }
}
