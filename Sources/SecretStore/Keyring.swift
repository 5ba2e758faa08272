import CGLib
import CSecret
import GLibSupport
import LoginCore
import Platform

/// The user's keyring as libsecret finds it: the desktop's Secret Service, or in the sandbox of a Flatpak the
/// application's own encrypted file, whose key comes from the desktop's portal.
///
/// Its calls do not block the main loop, and end when their task is cancelled.
@GLibActor
final class Keyring {
  /// Nil if the keyring is a file. A file is never locked, and its items have no paths.
  let service: UnsafeMutablePointer<SecretService>?

  /// Libsecret shares one connection in the whole process, but does not notice when the last reference to it is
  /// released. So this one is kept.
  private static var opened: Keyring?

  /// Takes over the reference to a back end of libsecret.
  init(_ backend: OpaquePointer) {
    let isService = backend.isInstance(of: secret_service_get_type())
    service = isService ? UnsafeMutablePointer(backend) : nil
  }

  /// Connects, which starts the service if that is possible, and agrees on a key: secrets cross the bus encrypted.
  static func open() async throws(Failure) -> Keyring {
    if let opened { return opened }
    let search = KeyringSearch()
    let found = await withTaskCancellationHandler {
      await withCheckedContinuation { search.begin($0) }
    } onCancel: {
      GLibActor.task { search.end(.failure(.cancelled)) }
    }
    opened = try found.get()
    return try found.get()
  }

  /// Makes sure that an item can be stored: there is a keyring, and it is unlocked.
  func prepare(mayAsk: Bool) async throws(Failure) {
    guard let service else { return }
    guard let collection = try await defaultCollection(of: service) else {
      // Storing creates a keyring, and the user has to choose a password for it.
      if mayAsk { return }
      throw .noKeyring
    }
    defer { g_object_unref(collection) }
    if secret_collection_get_locked(collection) == 0 { return }
    guard mayAsk, try await unlock(collection, of: service) else { throw .storeLocked }
  }

  /// Returns the state of the keyring that accounts would be stored in.
  func condition() async throws(Failure) -> KeyringStore.Condition {
    guard let service else { return .file }
    guard let collection = try await defaultCollection(of: service) else { return .absent }
    defer { g_object_unref(collection) }
    return secret_collection_get_locked(collection) == 0 ? .open : .locked
  }

  private func defaultCollection(
    of service: UnsafeMutablePointer<SecretService>
  ) async throws(Failure) -> UnsafeMutablePointer<SecretCollection>? {
    let call = await KeyringCall { cancellable, ready, data in
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
    let call = await KeyringCall { cancellable, ready, data in
      secret_service_unlock(service, list, cancellable, ready, data)
    }
    let unlocked = try call.finish { result, error in
      secret_service_unlock_finish(service, result, nil, &error)
    }
    return unlocked > 0
  }

  /// Stores a document in place of the one with the same name, by one call of the service or by replacing the file.
  func store(
    _ document: [UInt8], as kind: ItemKind = .account, of name: String, label: String
  ) async throws(Failure) {
    let attributes = Attributes(kind, name)
    let value = document.withUnsafeBytes { bytes in
      secret_value_new(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, "application/json")
    }
    defer { secret_value_unref(value.map { UnsafeMutableRawPointer($0) }) }
    let call = await KeyringCall { cancellable, ready, data in
      secret_password_storev_binary(
        kind.schema, attributes.table, SECRET_COLLECTION_DEFAULT, label, value, cancellable, ready, data)
    }
    do throws(Failure) {
      let isStored = try call.finish { result, error in secret_password_store_finish(result, &error) }
      // There was no error, so the user has closed the prompt.
      if isStored == 0 { throw .storeLocked }
    } catch {
      // The service reports a closed prompt for a new keyring as an object that does not exist.
      guard error != .cancelled, let service, await !hasDefaultCollection(service) else { throw error }
      throw .keyringNotCreated
    }
  }

  private func hasDefaultCollection(_ service: UnsafeMutablePointer<SecretService>) async -> Bool {
    guard let collection = (try? await defaultCollection(of: service)) ?? nil else { return false }
    g_object_unref(collection)
    return true
  }

  func clear(_ kind: ItemKind = .account, of name: String) async throws(Failure) {
    let attributes = Attributes(kind, name)
    let call = await KeyringCall { cancellable, ready, data in
      secret_password_clearv(kind.schema, attributes.table, cancellable, ready, data)
    }
    let isCleared = try call.finish { result, error in secret_password_clear_finish(result, &error) }
    if isCleared == 0 { throw .storeLocked }
  }
}

/// Waits until libsecret has found the keyring.
///
/// Up to version 0.20, libsecret subscribes to the portal's answer only after the portal has accepted the request, and
/// so misses the answer now and then. In the sandbox of a Flatpak this asks again every second. It is never cancelled:
/// libsecret would then wait for itself.
@GLibActor
private final class KeyringSearch {
  typealias Found = Result<Keyring, Failure>

  private var waiting: CheckedContinuation<Found, Never>?
  private var timer: Source?

  /// Starts the search, which resumes `waiting`.
  func begin(_ waiting: CheckedContinuation<Found, Never>) {
    self.waiting = waiting
    ask()
    if Flatpak.isAround { timer = .every(.seconds(1)) { [weak self] in self?.ask() } }
  }

  /// Ends the search unless it has ended.
  func end(_ found: Found) {
    timer = nil
    waiting.take()?.resume(returning: found)
  }

  /// The bus on which libsecret looks for the keyring. GLib shares one connection for as long as it is referenced. With this
  /// reference, losing the connection makes the calls on it fail; by default GLib would end this program.
  private static var bus: SessionBus?

  private func ask() {
    GLibActor.task {
      // If there is no bus, libsecret reports that.
      if Self.bus == nil { Self.bus = try? await SessionBus() }
      let call = await KeyringCall { cancellable, ready, data in
        secret_backend_get(SECRET_BACKEND_OPEN_SESSION, cancellable, ready, data)
      }
      do throws(Failure) {
        let backend = try call.finish { result, error in secret_backend_get_finish(result, &error) }
        guard let backend else { throw .silentKeyring }
        self.end(.success(Keyring(backend)))
      } catch {
        // The words of a library about a bus that cannot be reached mean as little to the user as its address.
        self.end(.failure(Self.bus == nil && error.kind == .keyring ? .noMessageBus : error))
      }
    }
  }
}

/// An asynchronous call of libsecret that has ended.
@GLibActor
final class KeyringCall {
  private let result: AsyncResult

  /// Starts the call and waits for its end. Cancelling the task cancels it.
  init(_ start: (UnsafeMutablePointer<GCancellable>, GAsyncReadyCallback, gpointer) -> Void) async {
    let cancellable = Cancellable()
    result = await asyncCall(cancellable) { ready, data in start(cancellable.pointer, ready, data) }
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }

  /// Returns the result of the matching `…_finish` function, which `body` calls.
  func finish<Value>(
    _ body: (OpaquePointer, inout UnsafeMutablePointer<GError>?) -> Value
  ) throws(Failure) -> Value {
    var error: UnsafeMutablePointer<GError>?
    let value = body(result.pointer, &error)
    if let error { throw Self.failure(error) }
    return value
  }

  /// Makes a failure of an error of libsecret, which is freed.
  static func failure(_ pointer: UnsafeMutablePointer<GError>) -> Failure {
    // The message begins with the D-Bus name of the error, which means nothing to the user.
    g_dbus_error_strip_remote_error(pointer)
    let error = GLibError(consuming: pointer)
    switch (error.domain, error.code) {
    case (secret_error_get_quark(), Int32(SECRET_ERROR_IS_LOCKED.rawValue)): return .storeLocked
    case (g_io_error_quark(), Int32(G_IO_ERROR_CANCELLED.rawValue)): return .cancelled
    default: return KnownSessionBus.isThere ? .keyring(error.message) : .noMessageBus
    }
  }
}

extension OpaquePointer {
  func isInstance(of type: GType) -> Bool {
    g_type_check_instance_is_a(UnsafeMutablePointer(self), type) != 0
  }
}

extension Failure.Kind {
  /// ``Failure/keyring(_:)``
  fileprivate static let keyring = Self(rawValue: "keyring")
}

/// The failures of a keyring.
extension Failure {
  /// The user has no keyring, and must not be asked to create one.
  package static let noKeyring = storeUnavailable("there is no keyring yet", hint: .createKeyring)
  /// There was no keyring, and the user cancelled the question for the password of a new one.
  package static let keyringNotCreated = Failure(
    .storeUnavailable, "no keyring was created: the question for its password was cancelled",
    hint: .keepInFolder, origin: .user)
  /// A keyring is reached over the session bus.
  package static let noMessageBus = storeUnavailable(
    "there is no session bus, which the keyring needs", hint: .keepInFolder)
  /// The keyring was found, but does not respond.
  package static let silentKeyring = storeUnavailable("the keyring does not answer", hint: .keepInFolder)
  /// The keyring's library failed, in its own words.
  package static func keyring(_ words: String) -> Failure {
    Failure(
      .storeUnavailable, "the keyring cannot be used: \(words)", kind: .keyring, hint: .keepInFolder)
  }
}
