import CWebKitGTK
import Glibc
import LoginCore
import LoginWays
import Wording

/// The sandbox that WebKit puts around the pages with bubblewrap: no page is shown without it.
enum Sandbox {
  /// Why no page may be opened. In a container in which bubblewrap does not work, WebKit 2.50 would go on without
  /// it and say nothing; everywhere else it ends this process, which costs nothing while it works.
  static var refusal: String? {
    access("/run/.containerenv", F_OK) == 0 ? fault : nil
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
    return text.isEmpty ? WindowRefusal.sandboxIsSilent : text.splitOnce(at: "\n").0
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
      if message.hasPrefix("readPIDFromPeer") { return WindowRefusal.sandboxEnded }
    }
    return nil
  }
}
