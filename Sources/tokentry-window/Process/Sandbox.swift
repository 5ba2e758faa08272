import CWebKitGTK
import GLibSupport
import Glibc
import Language
import LoginCore
import Platform
import WindowProtocol

/// The sandbox that WebKit puts around pages: with bubblewrap, or in a Flatpak with the portal. No page is
/// shown without it.
enum Sandbox {
  /// Returns the reason not to start WebKit. Where `/.flatpak-info` exists WebKit takes any system
  /// for a Flatpak and waits for a portal. Without a session bus it may leave that file behind, if the user
  /// can write to `/`.
  static func refusal(withSilentBus hasSilentBus: Bool) -> String? {
    if let falseFlatpak { return falseFlatpak }
    return hasSilentBus && access("/", W_OK) == 0 ? WindowRefusal.unsafeWithoutBus.description : nil
  }

  private static var falseFlatpak: String? {
    access(Flatpak.sign, F_OK) == 0 && !Flatpak.isAround ? WindowRefusal.falseFlatpak.description : nil
  }

  /// The reason not to load a page. There are several ways to make WebKit go on silently without a
  /// sandbox, so this looks at the processes that draw pages, before anything has been sent from there.
  static var breach: String? {
    let drawing = EngineProcesses.named("WebKitWebProces")
    // In a Flatpak the portal starts them, so they are not our descendants, and there is no other way to
    // start them.
    if drawing.isEmpty, Flatpak.isAround { return nil }
    if !drawing.isEmpty, drawing.allSatisfy(isApart) { return nil }
    return fault ?? WindowRefusal.notInSandbox.description
  }

  /// True if the process sees other files and other processes than this one.
  private static func isApart(_ process: pid_t) -> Bool {
    ["mnt", "pid"].allSatisfy { space in
      guard let own = KernelFile.target(ofLink: "/proc/self/ns/\(space)"),
        let other = KernelFile.target(ofLink: "/proc/\(process)/ns/\(space)")
      else { return false }
      return own != other
    }
  }

  /// Tells the caller the reason when WebKit ends this process because it cannot make the sandbox. WebKit
  /// only logs it, so this reads the log.
  static func reportStartFailure(to output: Int32) {
    let write: GLogWriterFunc = { level, fields, count, data in
      if level.rawValue & G_LOG_LEVEL_ERROR.rawValue != 0,
        let reason = Sandbox.fault ?? Sandbox.fault(in: fields, count)
      {
        CallerLink.send(.failed(error: "no_sandbox", description: reason), to: Int32(Int(bitPattern: data)))
      }
      return g_log_writer_default(level, fields, count, nil)
    }
    g_log_set_writer_func(write, UnsafeMutableRawPointer(bitPattern: Int(output)), nil)
  }

  /// The reason why the sandbox cannot be made, in bubblewrap's own words.
  static var fault: String? {
    if let falseFlatpak { return falseFlatpak }
    if Flatpak.isAround { return nil }
    // WebKit mounts these too, and a container may lack them.
    let parts = ["block", "bus", "class", "dev", "devices"].map { "/sys/\($0)" }
    let words =
      [program, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--unshare-all"]
      + parts.flatMap { ["--ro-bind", $0, $0] } + ["true"]
    var arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var (messages, status) = (UnsafeMutablePointer<gchar>?.none, gint(0))
    var error: UnsafeMutablePointer<GError>?
    let flags = GSpawnFlags(rawValue: G_SPAWN_STDOUT_TO_DEV_NULL.rawValue)
    defer { g_free(messages) }
    guard g_spawn_sync(nil, &arguments, nil, flags, nil, nil, nil, &messages, &status, &error) != 0 else {
      defer { g_error_free(error) }
      return error.map { String(cString: $0.pointee.message) } ?? program
    }
    if g_spawn_check_wait_status(status, nil) != 0 { return nil }
    let text = messages.map { String(cString: $0) } ?? ""
    return text.isEmpty ? WindowRefusal.sandboxIsSilent.description : text.splitOnce(at: "\n").0
  }

  /// The path that WebKit is built with on Debian and elsewhere.
  private static var program: String {
    let usual = "/usr/bin/bwrap"
    guard access(usual, X_OK) != 0, let found = g_find_program_in_path("bwrap") else { return usual }
    defer { g_free(found) }
    return String(cString: found)
  }

  /// The reason in WebKit's log when the process that it starts in the sandbox did not start.
  private static func fault(in fields: UnsafePointer<GLogField>?, _ count: gsize) -> String? {
    for field in UnsafeBufferPointer(start: fields, count: Int(count)) {
      guard strcmp(field.key, "MESSAGE") == 0, field.length < 0, let value = field.value else { continue }
      let message = String(cString: value.assumingMemoryBound(to: CChar.self))
      if message.hasPrefix("readPIDFromPeer") {
        return (hasDisplaySocket ? WindowRefusal.sandboxEnded : WindowRefusal.noDisplaySocket).description
      }
    }
    return nil
  }

  /// True unless an X11 display has no socket in the file system, which WebKit would let into the sandbox.
  /// Such a display can be reached from here, as in a container with the system's network, but not from the
  /// sandbox.
  private static var hasDisplaySocket: Bool {
    guard getenv("WAYLAND_DISPLAY") == nil, let name = getenv("DISPLAY").map({ String(cString: $0) }),
      name.hasPrefix(":")
    else { return true }
    let number = name.utf8.dropFirst().prefix(while: \.isDigit)
    return access("/tmp/.X11-unix/X\(Substring(number))", F_OK) == 0
  }
}
