import CGLib
import CSecret
import GLibSupport
import LoginCore

/// The connection to the Secret Service, with calls that wait without blocking the main loop and end when their task
/// is cancelled.
@GLibActor
final class SecretService {
  private let service: UnsafeMutablePointer<CSecret.SecretService>

  /// Takes over the reference.
  private init(_ service: UnsafeMutablePointer<CSecret.SecretService>) { self.service = service }
  isolated deinit { g_object_unref(service) }

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
  static func open() async throws(Failure) -> SecretService {
    let call = await Call { cancellable, ready, data in
      secret_service_get(SECRET_SERVICE_OPEN_SESSION, cancellable, ready, data)
    }
    let service = try call.finish { result, error in secret_service_get_finish(result, &error) }
    guard let service else { throw .store(.unavailable("the keyring does not answer", hint: Call.elsewhere)) }
    return SecretService(service)
  }

  /// The items of a name, or all of a kind. Those that stay locked have no document.
  func items(
    _ kind: ItemKind = .account, of name: String?, unlocking: Bool
  ) async throws(Failure) -> [Item] {
    let attributes = Attributes(kind, name)
    var flags = SECRET_SEARCH_ALL.rawValue | SECRET_SEARCH_LOAD_SECRETS.rawValue
    if unlocking { flags |= SECRET_SEARCH_UNLOCK.rawValue }
    let call = await Call { [service] cancellable, ready, data in
      secret_service_search(
        service, kind.schema, attributes.table, SecretSearchFlags(flags), cancellable, ready, data
      )
    }
    let list = try call.finish { [service] result, error in
      secret_service_search_finish(service, result, &error)
    }
    defer { g_list_free_full(list, g_object_unref) }
    var items: [Item] = []
    var next = list
    while let node = next {
      if let item = node.pointee.data {
        items.append(Item(kind, item.assumingMemoryBound(to: SecretItem.self)))
      }
      next = node.pointee.next
    }
    return items
  }

  /// The document of an account if it has one item and no more, which is not locked: the usual case, with the fewest
  /// questions on the bus.
  func onlyDocument(of account: String) async throws(Failure) -> [UInt8]? {
    let attributes = Attributes(.account, account)
    let search = await Call { [service] cancellable, ready, data in
      secret_service_search_for_dbus_paths(
        service, ItemKind.account.schema, attributes.table, cancellable, ready, data)
    }
    var (unlocked, locked): (Paths, Paths)
    (unlocked, locked) = (nil, nil)
    defer {
      g_strfreev(unlocked)
      g_strfreev(locked)
    }
    _ = try search.finish { [service] result, error in
      secret_service_search_for_dbus_paths_finish(service, result, &unlocked, &locked, &error)
    }
    guard let unlocked, g_strv_length(unlocked) == 1, locked?[0] == nil else { return nil }
    let call = await Call { [service] cancellable, ready, data in
      secret_service_get_secret_for_dbus_path(service, unlocked[0], cancellable, ready, data)
    }
    let value = try call.finish { [service] result, error in
      secret_service_get_secret_for_dbus_path_finish(service, result, &error)
    }
    return value.map(Item.bytes)
  }

  private typealias Paths = UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?

  /// Makes sure that an item can be stored: that there is a keyring for it, and that it is open.
  func prepare(mayAsk: Bool) async throws(Failure) {
    guard let collection = try await defaultCollection() else {
      // Storing makes one, which asks for its password.
      if mayAsk { return }
      throw .store(.unavailable("there is no keyring yet", hint: "save an account once without --silent"))
    }
    defer { g_object_unref(collection) }
    if secret_collection_get_locked(collection) == 0 { return }
    guard mayAsk, try await unlock(collection) else { throw .store(.locked) }
  }

  /// How the keyring is that accounts would be kept in.
  func condition() async throws(Failure) -> KeyringStore.Condition {
    guard let collection = try await defaultCollection() else { return .absent }
    defer { g_object_unref(collection) }
    return secret_collection_get_locked(collection) == 0 ? .open : .locked
  }

  private func defaultCollection() async throws(Failure) -> UnsafeMutablePointer<SecretCollection>? {
    let call = await Call { [service] cancellable, ready, data in
      secret_collection_for_alias(
        service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellable, ready, data)
    }
    return try call.finish { result, error in secret_collection_for_alias_finish(result, &error) }
  }

  private func unlock(_ collection: UnsafeMutablePointer<SecretCollection>) async throws(Failure) -> Bool {
    let list = g_list_append(nil, collection)
    defer { g_list_free(list) }
    let call = await Call { [service] cancellable, ready, data in
      secret_service_unlock(service, list, cancellable, ready, data)
    }
    let unlocked = try call.finish { [service] result, error in
      secret_service_unlock_finish(service, result, nil, &error)
    }
    return unlocked > 0
  }

  /// Stores a document in place of another of the name, by one call of the service.
  func store(
    _ document: [UInt8], as kind: ItemKind = .account, of name: String, label: String
  ) async throws(Failure) {
    let attributes = Attributes(kind, name)
    let value = document.withUnsafeBytes { bytes in
      secret_value_new(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, "application/json")
    }
    defer { secret_value_unref(value.map { UnsafeMutableRawPointer($0) }) }
    let call = await Call { [service] cancellable, ready, data in
      secret_service_store(
        service, kind.schema, attributes.table, SECRET_COLLECTION_DEFAULT, label, value,
        cancellable, ready, data)
    }
    let isStored = try call.finish { [service] result, error in
      secret_service_store_finish(service, result, &error)
    }
    // Without an error it is the user who closed the prompt.
    if isStored == 0 { throw .store(.locked) }
  }

  /// Removes every item of the name.
  func clear(_ kind: ItemKind = .account, of name: String) async throws(Failure) {
    let attributes = Attributes(kind, name)
    let call = await Call { [service] cancellable, ready, data in
      secret_service_clear(service, kind.schema, attributes.table, cancellable, ready, data)
    }
    let isCleared = try call.finish { [service] result, error in
      secret_service_clear_finish(service, result, &error)
    }
    if isCleared == 0 { throw .store(.locked) }
  }
}
