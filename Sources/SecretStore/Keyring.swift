import CGLib
import CSecret
import GLibSupport
import LoginCore

/// The user's keyring as libsecret finds it, with calls that wait without blocking the main loop and end when their
/// task is cancelled: the desktop's Secret Service, or, in the sandbox of a Flatpak, the application's own encrypted
/// file, whose key the desktop's portal gives out.
@GLibActor
final class Keyring {
  /// Nothing where the keyring is a file. That is never locked, and can be asked by no path.
  private let service: UnsafeMutablePointer<SecretService>?

  /// libsecret has one for the whole process, but does not notice when the last reference to it goes. So it stays.
  private static var opened: Keyring?

  /// Takes over the reference to a back end of libsecret.
  init(_ backend: OpaquePointer) {
    let isService = backend.isInstance(of: secret_service_get_type())
    service = isService ? UnsafeMutablePointer(backend) : nil
  }

  /// What is kept for one account, or as one client.
  struct Item {
    /// The name as it is in the attributes.
    let name: String?
    /// When it was changed, in seconds since 1970.
    let modified: UInt64
    /// The secret, or nothing while the item is locked.
    let document: [UInt8]?
  }

  /// Connects, which starts the service where it can be started, and agrees on a key: secrets cross the bus encrypted.
  static func open() async throws(Failure) -> Keyring {
    if let opened { return opened }
    let search = KeyringSearch()
    let found = await withTaskCancellationHandler {
      await withCheckedContinuation { search.begin($0) }
    } onCancel: {
      GLibActor.task { search.end(.failure(.user(.cancelled(.task)))) }
    }
    opened = try found.get()
    return try found.get()
  }

  /// The items of a name, or all of a kind. Those that stay locked have no document.
  func items(
    _ kind: ItemKind = .account, of name: String?, unlocking: Bool
  ) async throws(Failure) -> [Item] {
    let attributes = Attributes(kind, name)
    var flags = SECRET_SEARCH_ALL.rawValue | SECRET_SEARCH_LOAD_SECRETS.rawValue
    if unlocking { flags |= SECRET_SEARCH_UNLOCK.rawValue }
    let call = await Call { cancellable, ready, data in
      secret_password_searchv(
        kind.schema, attributes.table, SecretSearchFlags(flags), cancellable, ready, data)
    }
    let list = try call.finish { result, error in secret_password_search_finish(result, &error) }
    defer { g_list_free_full(list, g_object_unref) }
    var items: [Item] = []
    var next = list
    while let node = next {
      if let item = node.pointee.data { items.append(try Item(kind, OpaquePointer(item))) }
      next = node.pointee.next
    }
    return items
  }

  /// The documents of an account, or of all accounts, in no order and with two questions on the bus; nothing if some are
  /// locked, or if the keyring is one that has no paths.
  func openDocuments(of account: String?) async throws(Failure) -> [[UInt8]]? {
    guard let service else { return nil }
    let attributes = Attributes(.account, account)
    let search = await Call { cancellable, ready, data in
      secret_service_search_for_dbus_paths(
        service, ItemKind.account.schema, attributes.table, cancellable, ready, data)
    }
    var (unlocked, locked): (Paths, Paths)
    (unlocked, locked) = (nil, nil)
    defer {
      g_strfreev(unlocked)
      g_strfreev(locked)
    }
    _ = try search.finish { result, error in
      secret_service_search_for_dbus_paths_finish(service, result, &unlocked, &locked, &error)
    }
    guard let unlocked, locked?[0] == nil else { return nil }
    return try await secrets(at: unlocked, of: service)
  }

  /// What items that are not locked have for secrets; nothing if one of them has gone meanwhile. The service is asked
  /// without libsecret's function for that, which keeps every answer up to version 0.20.
  private func secrets(
    at paths: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>,
    of service: UnsafeMutablePointer<SecretService>
  ) async throws(Failure) -> [[UInt8]]? {
    let count = Int(g_strv_length(paths))
    if count == 0 { return [] }
    guard let session = secret_service_get_session_dbus_path(service) else { return nil }
    let proxy = UnsafeMutableRawPointer(service).assumingMemoryBound(to: GDBusProxy.self)
    let call = await Call { cancellable, ready, data in
      let list = paths.withMemoryRebound(to: UnsafePointer<gchar>?.self, capacity: count + 1) { paths in
        g_variant_new_objv(paths, count)
      }
      var arguments = [list, g_variant_new_object_path(session)]
      g_dbus_proxy_call(
        proxy, "GetSecrets", g_variant_new_tuple(&arguments, 2), G_DBUS_CALL_FLAGS_NO_AUTO_START, -1,
        cancellable, ready, data)
    }
    let answer = try call.finish { result, error in g_dbus_proxy_call_finish(proxy, result, &error) }
    guard let answer else { return nil }
    defer { g_variant_unref(answer) }
    let values = Self.values(in: answer, of: service)
    return values.count == count ? values : nil
  }

  /// The decrypted secrets of an answer, which is known to be of the right type: one for each path.
  private static func values(
    in answer: OpaquePointer, of service: UnsafeMutablePointer<SecretService>
  ) -> [[UInt8]] {
    let table = g_variant_get_child_value(answer, 0)
    defer { g_variant_unref(table) }
    return (0..<g_variant_n_children(table)).compactMap { index in
      let entry = g_variant_get_child_value(table, index)
      let secret = g_variant_get_child_value(entry, 1)
      defer {
        g_variant_unref(entry)
        g_variant_unref(secret)
      }
      guard let value = secret_service_decode_dbus_secret(service, secret) else { return nil }
      defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
      return Item.bytes(of: value)
    }
  }

  private typealias Paths = UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?

  /// Makes sure that an item can be stored: that there is a keyring for it, and that it is open.
  func prepare(mayAsk: Bool) async throws(Failure) {
    guard let service else { return }
    guard let collection = try await defaultCollection(of: service) else {
      // Storing makes one, which asks for its password.
      if mayAsk { return }
      throw .store(.unavailable(.noKeyring))
    }
    defer { g_object_unref(collection) }
    if secret_collection_get_locked(collection) == 0 { return }
    guard mayAsk, try await unlock(collection, of: service) else { throw .store(.locked) }
  }

  /// How the keyring is that accounts would be kept in.
  func condition() async throws(Failure) -> KeyringStore.Condition {
    guard let service else { return .file }
    guard let collection = try await defaultCollection(of: service) else { return .absent }
    defer { g_object_unref(collection) }
    return secret_collection_get_locked(collection) == 0 ? .open : .locked
  }

  private func defaultCollection(
    of service: UnsafeMutablePointer<SecretService>
  ) async throws(Failure) -> UnsafeMutablePointer<SecretCollection>? {
    let call = await Call { cancellable, ready, data in
      secret_collection_for_alias(
        service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellable, ready, data)
    }
    return try call.finish { result, error in secret_collection_for_alias_finish(result, &error) }
  }

  private func unlock(
    _ collection: UnsafeMutablePointer<SecretCollection>, of service: UnsafeMutablePointer<SecretService>
  ) async throws(Failure) -> Bool {
    let list = g_list_append(nil, collection)
    defer { g_list_free(list) }
    let call = await Call { cancellable, ready, data in
      secret_service_unlock(service, list, cancellable, ready, data)
    }
    let unlocked = try call.finish { result, error in
      secret_service_unlock_finish(service, result, nil, &error)
    }
    return unlocked > 0
  }

  /// Stores a document in place of another of the name, by one call of the service, or by a file that takes the place of
  /// the old one.
  func store(
    _ document: [UInt8], as kind: ItemKind = .account, of name: String, label: String
  ) async throws(Failure) {
    let attributes = Attributes(kind, name)
    let value = document.withUnsafeBytes { bytes in
      secret_value_new(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, "application/json")
    }
    defer { secret_value_unref(value.map { UnsafeMutableRawPointer($0) }) }
    let call = await Call { cancellable, ready, data in
      secret_password_storev_binary(
        kind.schema, attributes.table, SECRET_COLLECTION_DEFAULT, label, value, cancellable, ready, data)
    }
    let isStored = try call.finish { result, error in secret_password_store_finish(result, &error) }
    // Without an error it is the user who closed the prompt.
    if isStored == 0 { throw .store(.locked) }
  }

  func clear(_ kind: ItemKind = .account, of name: String) async throws(Failure) {
    let attributes = Attributes(kind, name)
    let call = await Call { cancellable, ready, data in
      secret_password_clearv(kind.schema, attributes.table, cancellable, ready, data)
    }
    let isCleared = try call.finish { result, error in secret_password_clear_finish(result, &error) }
    if isCleared == 0 { throw .store(.locked) }
  }
}
