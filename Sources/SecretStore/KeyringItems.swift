import CGLib
import CSecret
import GLibSupport
import LoginCore

/// The kind of an item. Its raw value is the name of the only attribute.
enum ItemKind: String {
  case account
  case client

  /// A schema of its own keeps one kind from being taken for the other.
  var schema: UnsafePointer<SecretSchema>? {
    switch self {
    case .account: secret_account_schema()
    case .client: secret_client_schema()
    }
  }
}

/// The attributes by which an item is found. Libsecret adds the schema's name.
final class Attributes {
  let table: OpaquePointer

  /// The attributes of one item, or without a name those that all items of a kind share.
  init(_ kind: ItemKind, _ name: String?) {
    table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
    if let name { g_hash_table_insert(table, g_strdup(kind.rawValue), g_strdup(name)) }
  }

  deinit { g_hash_table_unref(table) }
}

extension Keyring {
  /// An account or a client in the keyring.
  struct Item {
    /// The name in the attributes.
    let name: String?
    /// The time of the last change, in seconds since 1970.
    let modified: UInt64
    /// The secret, or nil while the item is locked.
    let document: [UInt8]?
  }

  /// Returns the items of a name, or all of a kind. Items that stay locked have no document.
  func items(
    _ kind: ItemKind = .account, of name: String?, unlocking: Bool
  ) async throws(Failure) -> [Item] {
    let attributes = Attributes(kind, name)
    var flags = SECRET_SEARCH_ALL.rawValue | SECRET_SEARCH_LOAD_SECRETS.rawValue
    if unlocking { flags |= SECRET_SEARCH_UNLOCK.rawValue }
    let call = await KeyringCall { cancellable, ready, data in
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
}

@GLibActor
extension Keyring.Item {
  /// Copies an item that libsecret has loaded.
  fileprivate init(_ kind: ItemKind, _ item: OpaquePointer) throws(Failure) {
    let attributes = secret_retrievable_get_attributes(item)
    let value = g_hash_table_lookup(attributes, kind.rawValue)
    name = value.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    g_hash_table_unref(attributes)
    modified = UInt64(secret_retrievable_get_modified(item))
    document = try Self.secret(of: item).map { secret in
      defer { secret_value_unref(UnsafeMutableRawPointer(secret)) }
      return Self.bytes(of: secret)
    }
  }

  /// Returns nil while the item is locked. This makes no call on the bus: the search has already loaded an item of the
  /// service, and an item of the file is decrypted in this process.
  private static func secret(of item: OpaquePointer) throws(Failure) -> OpaquePointer? {
    if item.isInstance(of: secret_item_get_type()) {
      let item = UnsafeMutablePointer<SecretItem>(item)
      return secret_item_get_locked(item) == 0 ? secret_item_get_secret(item) : nil
    }
    var error: UnsafeMutablePointer<GError>?
    let secret = secret_retrievable_retrieve_secret_sync(item, nil, &error)
    if let error { throw KeyringCall.failure(error) }
    return secret
  }

  fileprivate static func bytes(of value: OpaquePointer) -> [UInt8] {
    var length: gsize = 0
    let bytes = secret_value_get(value, &length)
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
  }
}

/// The fast way to read documents, with two calls on the bus.
extension Keyring {
  /// Returns the documents of one account, or of all accounts, in no particular order. Returns nil if an item is
  /// locked, or if the keyring is a file, which has no paths.
  func openDocuments(of account: String?) async throws(Failure) -> [[UInt8]]? {
    guard let service else { return nil }
    let attributes = Attributes(.account, account)
    let search = await KeyringCall { cancellable, ready, data in
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

  private typealias Paths = UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?

  /// Returns the secrets of unlocked items, or nil if one of the items has been removed in the meantime.
  ///
  /// This calls the service itself. Libsecret's function for it leaks every answer up to version 0.20.
  private func secrets(
    at paths: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>,
    of service: UnsafeMutablePointer<SecretService>
  ) async throws(Failure) -> [[UInt8]]? {
    let count = Int(g_strv_length(paths))
    if count == 0 { return [] }
    guard let session = secret_service_get_session_dbus_path(service) else { return nil }
    let proxy = UnsafeMutableRawPointer(service).assumingMemoryBound(to: GDBusProxy.self)
    let call = await KeyringCall { cancellable, ready, data in
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

  /// Decrypts the secrets in an answer, one for each path. Libsecret has checked the answer's type.
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
}
