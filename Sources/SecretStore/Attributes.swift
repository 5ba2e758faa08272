import CGLib
import CSecret

/// What an item is, and the only attribute by which one of several is found.
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

/// The attributes by which an item is found; the schema's name is added by libsecret.
final class Attributes {
  /// What the calls take.
  let table: OpaquePointer

  /// Those of one item, or those that all of its kind have.
  init(_ kind: ItemKind, _ name: String?) {
    table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
    if let name { g_hash_table_insert(table, g_strdup(kind.rawValue), g_strdup(name)) }
  }

  deinit { g_hash_table_unref(table) }
}

extension SecretService.Item {
  /// Copies what libsecret has loaded of an item.
  init(_ kind: ItemKind, _ item: UnsafeMutablePointer<SecretItem>) {
    let attributes = secret_item_get_attributes(item)
    let value = g_hash_table_lookup(attributes, kind.rawValue)
    name = value.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    g_hash_table_unref(attributes)
    modified = UInt64(secret_item_get_modified(item))
    guard secret_item_get_locked(item) == 0, let value = secret_item_get_secret(item) else {
      document = nil
      return
    }
    document = Self.bytes(consuming: value)
  }

  /// Copies a secret and releases it.
  static func bytes(consuming value: OpaquePointer) -> [UInt8] {
    var length: gsize = 0
    let bytes = secret_value_get(value, &length)
    defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
  }
}
