import GLibSupport
import Glibc
import LoginCore
import PrivateFiles

/// Is told when another program has to be waited for, and when that is over.
public typealias OtherPrograms = @GLibActor @Sendable (_ areAwaited: Bool) -> Void

/// A lock on one account, or one client, among the programs of this user. The system releases it when the program
/// ends, however that may be.
final class FileLock: StoreLock {
  private let file: OpenFile

  private init(_ file: consuming OpenFile) { self.file = file }

  /// A refresh takes tenths of a second, so nobody waits long for the next look; a login takes its time, and those
  /// who wait for one should not keep the machine awake.
  private static let intervals = (first: Duration.milliseconds(20), longest: Duration.milliseconds(200))

  /// Waits for the lock without blocking the main loop, until the task is cancelled.
  @GLibActor
  static func wait(
    for name: String, in folder: String, _ onWait: OtherPrograms
  ) async throws(Failure) -> FileLock {
    let lock = try FileLock(for: name, in: folder)
    try await lock.untilTaken(onWait) { () in nil as Never? }
    return lock
  }

  /// Opens, but does not take, the lock of what has this name as a file.
  ///
  /// The file stays when the lock is released: removing it would let two programs hold two files of one name. So there
  /// is an empty one for each account or client that was ever there, and none for a name that was only asked for.
  convenience init(for name: String, in folder: String) throws(Failure) {
    self.init(
      try failing(PrivateFolder(folder, making: true).openLock(".\(name).lock")) {
        .store(.unavailable(.file($0)))
      })
  }

  /// Whether nobody else has the lock, who would have it until this object goes.
  private func take() throws(Failure) -> Bool {
    while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else {
        throw .store(.unavailable(.file(file.refusal())))
      }
      return false
    }
    return true
  }

  /// Waits until the lock is taken, or until `otherwise`, which is asked at every look, makes that unnecessary.
  @GLibActor @discardableResult
  func untilTaken<Value>(
    _ onWait: OtherPrograms, or otherwise: () throws(Failure) -> Value?
  ) async throws(Failure) -> Value? {
    var interval = Self.intervals.first
    var isWaiting = false
    defer { if isWaiting { onWait(false) } }
    while try !take() {
      if let value = try otherwise() { return value }
      if Task.isCancelled { throw .user(.cancelled(.task)) }
      if !isWaiting { onWait(true) }
      isWaiting = true
      await Self.pause(interval)
      interval = min(interval * 1.25, Self.intervals.longest)
    }
    return nil
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
