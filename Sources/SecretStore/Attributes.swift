import CGLib
import CSecret
import GLibSupport
import LoginCore

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

@GLibActor
extension Keyring.Item {
  /// Copies what libsecret has loaded of an item.
  init(_ kind: ItemKind, _ item: OpaquePointer) throws(Failure) {
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

  /// Nothing while the item is locked. Nobody is asked once more: the search has loaded an item of the service, and one
  /// of a file is decrypted where it is.
  private static func secret(of item: OpaquePointer) throws(Failure) -> OpaquePointer? {
    if item.isInstance(of: secret_item_get_type()) {
      let item = UnsafeMutablePointer<SecretItem>(item)
      return secret_item_get_locked(item) == 0 ? secret_item_get_secret(item) : nil
    }
    var error: UnsafeMutablePointer<GError>?
    let secret = secret_retrievable_retrieve_secret_sync(item, nil, &error)
    if let error { throw Call.failure(error) }
    return secret
  }

  /// Copies a secret.
  static func bytes(of value: OpaquePointer) -> [UInt8] {
    var length: gsize = 0
    let bytes = secret_value_get(value, &length)
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
  }
}

extension OpaquePointer {
  func isInstance(of type: GType) -> Bool {
    g_type_check_instance_is_a(UnsafeMutablePointer(self), type) != 0
  }
}
