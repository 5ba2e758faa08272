import GLibSupport
import Glibc
import LoginCore

/// A lock on one account among the programs of this user. The system releases it when the program ends, however that
/// may be.
final class FileLock: AccountLock {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }

  /// A refresh takes tenths of a second, so nobody waits long for the next look.
  private static let interval = Duration.milliseconds(20)

  /// Waits for the lock without blocking the main loop, until the task is cancelled.
  ///
  /// The file stays when the lock is released: removing it would let two programs hold two files of one name.
  @GLibActor
  static func wait(for name: AccountName, in folder: String) async throws(Failure) -> FileLock {
    let lock: FileLock
    do throws(PrivateFolder.Fault) {
      lock = FileLock(try PrivateFolder(folder, making: true).openLock(".\(name.fileName).lock"))
    } catch {
      throw .store(.unavailable(error.message, hint: error.hint))
    }
    while flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw .store(.unavailable("\(folder): \(String(cString: strerror(errno)))"))
      }
      if Task.isCancelled { throw .user(.cancelled("waiting for the account was cancelled")) }
      await pause(interval)
    }
    return lock
  }

  /// Cancelling the task does not shorten it.
  @GLibActor
  private static func pause(_ duration: Duration) async {
    var timer: Source?
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      timer = Source.timer(every: duration) {
        guard timer != nil else { return }
        timer = nil
        continuation.resume()
      }
    }
  }
}
