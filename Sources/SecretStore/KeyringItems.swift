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

  fileprivate static func bytes(of secret: OpaquePointer) -> [UInt8] {
    var length: gsize = 0
    let bytes = secret_value_get(secret, &length)
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
  }
}

/// Documents without their items. Libsecret asks for the properties of each item by a call of its own.
extension Keyring {
  /// Returns the document of a name, or nil without one. If the user has copies in several keyrings, the newest counts.
  func document(
    _ kind: ItemKind = .account, of name: String, unlocking: Bool
  ) async throws(Failure) -> [UInt8]? {
    if let documents = try await openDocuments(kind, of: name), documents.count < 2 { return documents.first }
    let items = try await items(kind, of: name, unlocking: unlocking)
    guard let newest = items.max(by: { $0.modified < $1.modified }) else { return nil }
    guard let document = newest.document else { throw .storeLocked }
    return document
  }

  /// Returns the documents of a name, or all of a kind, in no particular order. This takes two calls on the bus, however
  /// many they are. Returns nil if an item is locked or has just been removed, or if the keyring is a file.
  func openDocuments(_ kind: ItemKind, of name: String?) async throws(Failure) -> [[UInt8]]? {
    guard let service, let session = secret_service_get_session_dbus_path(service) else { return nil }
    let found = try await service.answer(to: "SearchItems") { [kind.attributes(name)] }
    let (open, locked) = (found[0], found[1])
    if locked.count > 0 { return nil }
    if open.count == 0 { return [] }
    let answer = try await service.answer(to: "GetSecrets") {
      [open.pointer, g_variant_new_object_path(session)]
    }
    let secrets = answer[0]
    let documents = (0..<secrets.count).compactMap { index -> [UInt8]? in
      guard let secret = secret_service_decode_dbus_secret(service, secrets[index][1].pointer) else {
        return nil
      }
      defer { secret_value_unref(UnsafeMutableRawPointer(secret)) }
      return Item.bytes(of: secret)
    }
    return documents.count == open.count ? documents : nil
  }
}

extension ItemKind {
  /// The attributes in a call of the service.
  fileprivate func attributes(_ name: String?) -> OpaquePointer? {
    var pairs = [("xdg:schema", schema.map { String(cString: $0.pointee.name) }), (rawValue, name)]
      .compactMap { key, value in
        value.map { g_variant_new_dict_entry(g_variant_new_string(key), g_variant_new_string($0)) }
      }
    return g_variant_new_array(nil, &pairs, gsize(pairs.count))
  }
}

@GLibActor
extension UnsafeMutablePointer<SecretService> {
  /// Calls a method of the service. Libsecret's proxy checks the type of the answer. Its functions for these calls leak
  /// each answer up to version 0.20.
  fileprivate func answer(
    to method: String, _ arguments: () -> [OpaquePointer?]
  ) async throws(Failure) -> DBusValue {
    let proxy = UnsafeMutableRawPointer(self).assumingMemoryBound(to: GDBusProxy.self)
    let call = await KeyringCall { cancellable, ready, data in
      var members = arguments()
      g_dbus_proxy_call(
        proxy, method, g_variant_new_tuple(&members, gsize(members.count)), G_DBUS_CALL_FLAGS_NO_AUTO_START,
        -1, cancellable, ready, data)
    }
    let answer = try call.finish { result, error in g_dbus_proxy_call_finish(proxy, result, &error) }
    guard let answer else { throw .silentKeyring }
    return DBusValue(answer)
  }
}

/// A value that came over the bus.
private final class DBusValue: Sendable {
  nonisolated(unsafe) let pointer: OpaquePointer  // a GVariant does not change

  /// Takes over the reference.
  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { g_variant_unref(pointer) }

  var count: Int { Int(g_variant_n_children(pointer)) }

  subscript(index: Int) -> DBusValue { DBusValue(g_variant_get_child_value(pointer, gsize(index))) }
}
