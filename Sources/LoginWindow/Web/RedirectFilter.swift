import CWebKitGTK
import GLibSupport
import Glibc
import LoginCore
import PrivateFiles

/// Keeps the redirect URIs on the web from being loaded even where a navigation to one is allowed. WebKit fails
/// such a load before it connects, and tells of it if it was the page's own and not that of a frame inside it.
@GLibActor
final class RedirectFilter {
  /// Whether it is there. It takes some milliseconds, and the first page many more.
  private(set) var isInPlace = false
  /// How many other addresses there are.
  private var count = 0
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

  /// Keeps this address from being loaded as well. Returns whether it is by now.
  func block(_ uri: [UInt8]) async -> Bool {
    guard manager != nil, let rules = NavigationPolicy.contentRules(against: uri) else { return false }
    // Of two of one name the later one would take the place of the other.
    count += 1
    guard let filter = await Self.compile(rules, as: "address-\(count)") else { return false }
    add(filter)
    return true
  }

  private func add(_ filter: OpaquePointer) {
    if let manager { webkit_user_content_manager_add_filter(manager, filter) }
    webkit_user_content_filter_unref(filter)
  }

  /// WebKit compiles rules into a file; it goes on using it when the file has lost its name. Whoever ends the window
  /// meanwhile knows by its name whose the folder is.
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
