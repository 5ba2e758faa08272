import CGLib
import CSecret
import GLibSupport
import LoginCore

/// Waits until libsecret has found the keyring.
///
/// Up to version 0.20 libsecret listens for the answer of the portal only when the portal has taken the question, and so
/// misses it now and then: in the sandbox of a Flatpak it is asked again every second. It is never cancelled, which would
/// make it wait for itself.
@GLibActor
final class KeyringSearch {
  typealias Found = Result<Keyring, Failure>

  private var waiting: CheckedContinuation<Found, Never>?
  private var timer: Source?

  /// Starts to search for whoever is `waiting`.
  func begin(_ waiting: CheckedContinuation<Found, Never>) {
    self.waiting = waiting
    ask()
    if Flatpak.isAround { timer = .timer(every: .seconds(1)) { [weak self] in self?.ask() } }
  }

  /// Ends it, unless it has ended.
  func end(_ found: Found) {
    timer = nil
    waiting.take()?.resume(returning: found)
  }

  /// The bus on which libsecret is going to find the keyring: GLib has one for as long as somebody refers to it.
  private static var bus: OpaquePointer?

  /// Sees to it that a bus that goes away is an error of whoever asks something there, and not the end of this program, as
  /// GLib would have it. Where there is none libsecret says so.
  private static func surviveTheBus() async {
    if bus != nil { return }
    let call = await Call { cancellable, ready, data in
      g_bus_get(G_BUS_TYPE_SESSION, cancellable, ready, data)
    }
    bus = (try? call.finish { result, error in g_bus_get_finish(result, &error) }) ?? nil
    if let bus { g_dbus_connection_set_exit_on_close(bus, 0) }
  }

  private func ask() {
    GLibActor.task {
      await Self.surviveTheBus()
      let call = await Call { cancellable, ready, data in
        secret_backend_get(SECRET_BACKEND_OPEN_SESSION, cancellable, ready, data)
      }
      do throws(Failure) {
        let backend = try call.finish { result, error in secret_backend_get_finish(result, &error) }
        guard let backend else {
          throw .store(.unavailable(.silentKeyring))
        }
        self.end(.success(Keyring(backend)))
      } catch {
        self.end(.failure(error))
      }
    }
  }
}
