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
      var length: gsize = 0
      let bytes = secret_value_get(secret, &length)
      return Array(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
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
}
