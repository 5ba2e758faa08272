import CWebKitGTK
import GLibSupport
import Glibc
import LoginCore
import Platform

/// Blocks the loading of redirect URIs on the web even where a navigation to them is allowed. WebKit fails
/// such a load before it connects, and reports that only for the page itself, not for a frame inside it.
@GLibActor
final class RedirectFilter {
  /// True once the rules work. Compiling them takes some milliseconds, and many more while the first page
  /// starts.
  private(set) var isInPlace = false
  private var blockedCount = 0
  private let manager: UnsafeMutablePointer<WebKitUserContentManager>?

  init(_ policy: NavigationPolicy, of view: UnsafeMutablePointer<WebKitWebView>) {
    manager = webkit_web_view_get_user_content_manager(view)
    if let manager { g_object_ref(manager) }
    guard let rules = policy.contentRules else { return }
    GLibActor.task { [weak self] in
      guard let filter = await Self.compile(rules, as: "redirects") else { return }
      self?.add(filter)
      self?.isInPlace = true
    }
  }

  isolated deinit { if let manager { g_object_unref(manager) } }

  /// Blocks one more address. Returns false if that is not possible.
  func block(_ uri: [UInt8]) async -> Bool {
    guard manager != nil, let rules = NavigationPolicy.contentRules(against: uri) else { return false }
    // A filter replaces another one of the same name.
    blockedCount += 1
    guard let filter = await Self.compile(rules, as: "address-\(blockedCount)") else { return false }
    add(filter)
    return true
  }

  private func add(_ filter: OpaquePointer) {
    if let manager { webkit_user_content_manager_add_filter(manager, filter) }
    webkit_user_content_filter_unref(filter)
  }

  /// Compiles rules. WebKit compiles into a file, and goes on using that file after it has been deleted. The
  /// folder's name says whose it is, for the cleaning up after a window that was ended meanwhile.
  private static func compile(_ rules: String, as identifier: String) async -> OpaquePointer? {
    guard let name = g_dir_make_tmp("\(EngineLeftovers.folderPrefix(of: getpid()))XXXXXX", nil) else {
      return nil
    }
    defer { g_free(name) }
    let folder = String(cString: name)
    let store = webkit_user_content_filter_store_new(folder)
    let bytes = Array(rules.utf8)
    let source = g_bytes_new(bytes, gsize(bytes.count))
    defer {
      g_bytes_unref(source)
      g_object_unref(store)
      remove(folder)
    }
    let cancellable = Cancellable()
    let result = await asyncCall(cancellable) { ready, data in
      webkit_user_content_filter_store_save(store, identifier, source, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    return webkit_user_content_filter_store_save_finish(store, result.pointer, nil)
  }

  private static func remove(_ folder: String) {
    if let directory = g_dir_open(folder, 0, nil) {
      while let name = g_dir_read_name(directory) { unlink("\(folder)/\(String(cString: name))") }
      g_dir_close(directory)
    }
    rmdir(folder)
  }
}
