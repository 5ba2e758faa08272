import CWebKitGTK
import GLibSupport
import Glibc
import LoginCore
import LoginWays
import Wording

/// The sandbox that WebKit puts around the pages with bubblewrap, or in a Flatpak with the portal: no page is shown
/// without it.
enum Sandbox {
  /// Why nothing of WebKit may be started, although it would start: with the sign of a Flatpak it takes any system for
  /// one, and waits for a portal; and without a bus it may leave that sign behind, where the user can write it.
  static func refusal(withSilentBus hasSilentBus: Bool) -> String? {
    if let falseFlatpak { return falseFlatpak }
    return hasSilentBus && access("/", W_OK) == 0 ? WindowRefusal.unsafeWithoutBus.source : nil
  }

  private static var falseFlatpak: String? {
    access(Flatpak.sign, F_OK) == 0 && !Flatpak.isAround ? WindowRefusal.falseFlatpak.source : nil
  }

  /// Why no page may be loaded: there are several ways to have WebKit go on without a sandbox and say nothing, so the
  /// processes that draw pages are looked at, where nothing has been sent yet.
  static var breach: String? {
    let drawing = Offspring.named("WebKitWebProces")
    // What a Flatpak's portal has started is none of ours, and nothing else starts it there.
    if drawing.isEmpty, Flatpak.isAround { return nil }
    if !drawing.isEmpty, drawing.allSatisfy(isApart) { return nil }
    return fault ?? WindowRefusal.notInSandbox.source
  }

  /// Whether a process sees other files and other processes than this one.
  private static func isApart(_ process: pid_t) -> Bool {
    ["mnt", "pid"].allSatisfy { space in
      guard let own = link("/proc/self/ns/\(space)"), let other = link("/proc/\(process)/ns/\(space)") else {
        return false
      }
      return own != other
    }
  }

  private static func link(_ path: String) -> [UInt8]? {
    var target = [UInt8](repeating: 0, count: 64)
    let count = readlink(path, &target, target.count)
    return count > 0 ? Array(target[..<count]) : nil
  }

  /// Sees to it that the caller learns why if WebKit ends this process because there is no sandbox.
  static func explainEnd(to output: Int32) {
    let write: GLogWriterFunc = { level, fields, count, data in
      if level.rawValue & G_LOG_LEVEL_ERROR.rawValue != 0,
        let reason = Sandbox.fault ?? Sandbox.fault(in: fields, count)
      {
        CallerLink.send(
          .failed(error: "no_sandbox", description: reason), to: Int32(Int(bitPattern: data)))
      }
      return g_log_writer_default(level, fields, count, nil)
    }
    g_log_set_writer_func(write, UnsafeMutableRawPointer(bitPattern: Int(output)), nil)
  }

  /// Why it cannot be made, in bubblewrap's own words; nothing if it can.
  static var fault: String? {
    if let falseFlatpak { return falseFlatpak }
    if Flatpak.isAround { return nil }
    // What WebKit mounts as well, and a container may lack.
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
    return text.isEmpty ? WindowRefusal.sandboxIsSilent.source : text.splitOnce(at: "\n").0
  }

  /// The place that WebKit of Debian and others has been told.
  private static var program: String {
    let usual = "/usr/bin/bwrap"
    guard access(usual, X_OK) != 0, let found = g_find_program_in_path("bwrap") else { return usual }
    defer { g_free(found) }
    return String(cString: found)
  }

  /// What WebKit says when the process that was to start in the sandbox did not.
  private static func fault(in fields: UnsafePointer<GLogField>?, _ count: gsize) -> String? {
    for field in UnsafeBufferPointer(start: fields, count: Int(count)) {
      guard strcmp(field.key, "MESSAGE") == 0, field.length < 0, let value = field.value else { continue }
      let message = String(cString: value.assumingMemoryBound(to: CChar.self))
      if message.hasPrefix("readPIDFromPeer") {
        return (hasDisplaySocket ? WindowRefusal.sandboxEnded : WindowRefusal.noDisplaySocket).source
      }
    }
    return nil
  }

  /// Whether WebKit finds what it lets into the sandbox of a display of X11. Such a display can be reached without it,
  /// as in a container with the system's network, but not by what is in there.
  private static var hasDisplaySocket: Bool {
    guard getenv("WAYLAND_DISPLAY") == nil, let name = getenv("DISPLAY").map({ String(cString: $0) }),
      name.hasPrefix(":")
    else { return true }
    let number = name.utf8.dropFirst().prefix(while: \.isDigit)
    return access("/tmp/.X11-unix/X\(Substring(number))", F_OK) == 0
  }
}
