import CGLib
import GLibSupport
import Glibc
import LoginCore
import Platform

/// The locks in a folder, for a store that several programs of one user share.
public struct FileLocks: AttemptLocks {
  let folder: String

  public func lock(_ name: AccountName) async throws(Failure) -> any StoreLock {
    try await FileLock.wait(for: name.fileName, in: folder)
  }

  public func lock(_ slot: ClientSlot) async throws(Failure) -> any StoreLock {
    try await FileLock.wait(for: slot.fileName, in: folder)
  }

  package func attempt(at name: AccountName, waiting: AttemptWaiting) async throws(Failure) -> Attempt {
    try await FileAttemptLock.wait(for: name, in: folder, waiting)
  }

  package func attempts(at name: AccountName) async -> AttemptLog {
    FileAttemptLock.log(of: name, in: folder)
  }
}

/// A lock on one account or client among the programs of this user. The system releases it when the program ends in
/// any way.
final class FileLock: StoreLock {
  private let file: OpenFile

  private init(_ file: consuming OpenFile) { self.file = file }

  /// The pauses between two looks at the lock. A refresh takes tenths of a second, so the first pauses are short. A
  /// login takes longer, and waiting for one should not keep the machine awake.
  private static let intervals = (first: Duration.milliseconds(20), longest: Duration.milliseconds(200))

  /// Waits for the lock without blocking the main loop. Throws if the task is cancelled.
  @GLibActor
  static func wait(for name: String, in folder: String) async throws(Failure) -> FileLock {
    let lock = try FileLock(for: name, in: folder)
    try await lock.untilTaken { () in nil as Never? }
    return lock
  }

  /// Opens the lock of a file name, but does not take it.
  ///
  /// The lock file is never removed: otherwise two programs could hold two files of the same name. So an empty file
  /// stays for each account or client that has ever existed, but a mere look at an account does not create one.
  convenience init(for name: String, in folder: String) throws(Failure) {
    self.init(
      try failing(PrivateFolder(folder, making: true).openLock(".\(name).lock"), as: Failure.unusableStore))
  }

  /// Returns false if another program holds the lock. This object keeps the lock for as long as it lives.
  private func take() throws(Failure) -> Bool {
    while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { throw .unusableStore(file.refusal()) }
      return false
    }
    return true
  }

  /// Waits until the lock is taken and returns nil. After each look in vain it calls `otherwise`, and ends with that
  /// value if there is one.
  @GLibActor @discardableResult
  func untilTaken<Value>(or otherwise: () throws(Failure) -> Value?) async throws(Failure) -> Value? {
    var interval = Self.intervals.first
    while try !take() {
      if let value = try otherwise() { return value }
      if Task.isCancelled { throw .cancelled }
      await Self.pause(interval)
      interval = min(interval * 1.25, Self.intervals.longest)
    }
    return nil
  }

  /// Unlike `pause(for:)`, this does not end early when the task is cancelled.
  @GLibActor
  private static func pause(_ duration: Duration) async {
    var timer: Source?
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      timer = Source.after(duration) {
        guard timer != nil else { return }
        timer = nil
        continuation.resume()
      }
    }
  }
}

/// An attempt at an account: its lock, and beside it the file in which other programs read how attempts have ended.
final class FileAttemptLock: AttemptLock {
  let log: AttemptLog
  let needsLogin: Bool
  private let lock: FileLock
  private let file: LogFile

  private init(_ log: AttemptLog, needsLogin: Bool, lock: FileLock, file: LogFile) {
    self.log = log
    self.needsLogin = needsLogin
    self.lock = lock
    self.file = file
  }

  func tell(_ log: AttemptLog) { file.write(log) }

  /// Returns the attempts so far, without taking the lock.
  static func log(of name: AccountName, in folder: String) -> AttemptLog {
    LogFile(folder: folder, name: name).read()
  }

  /// Waits for the lock, or for the end of another program's attempt.
  @GLibActor
  static func wait(
    for name: AccountName, in folder: String, _ waiting: AttemptWaiting
  ) async throws(Failure) -> Attempt {
    let lock = try FileLock(for: name.fileName, in: folder)
    let file = LogFile(folder: folder, name: name)
    // The first attempt whose end concerns this program. Nil if no other program has been found at the account.
    var awaited: Int64?
    let theirs = try await lock.untilTaken { () throws(Failure) -> AttemptOutcome? in
      if case .no = waiting {
        throw .alreadyInProgress(account: name.description)
      }
      let log = file.read()
      awaited = awaited ?? log.awaited
      return log.outcome(since: awaited ?? log.awaited).flatMap { waiting.takes($0) ? $0 : nil }
    }
    if let theirs { return .theirs(theirs) }
    var log = file.read()
    let outcome = awaited.flatMap { log.outcome(since: $0) }
    if let outcome, waiting.takes(outcome) { return .theirs(outcome) }
    log.begin()
    file.write(log)
    return .mine(FileAttemptLock(log, needsLogin: outcome == .needsLogin, lock: lock, file: file))
  }

  /// The file with the last few attempts at an account. If it cannot be read or written, each waiting program makes
  /// its own attempt once it has the lock.
  private struct LogFile {
    let folder: String
    let name: AccountName
    private var path: String { ".\(name.fileName).attempts" }

    func read() -> AttemptLog {
      let bytes = try? PrivateFolder(folder, making: false)
        .read(path, limit: AttemptLog.maximumDocumentSize)
      return bytes.flatMap(AttemptLog.init(document:)) ?? AttemptLog()
    }

    func write(_ log: AttemptLog) {
      try? PrivateFolder(folder, making: true)
        .replace(path, with: log.document, through: path + ".new", isPassing: true)
    }
  }
}

extension ClientSlot {
  /// The name of the slot's files. The two addresses may be too long for a file name, so it is a digest of them; the
  /// digest is longer than any account's file name.
  ///
  /// If GLib had no SHA-256, all slots would share one file. Its document still names the slot that it belongs to.
  var fileName: String {
    guard let digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, description, -1) else {
      return "client"
    }
    defer { g_free(digest) }
    return "client-\(String(cString: digest))"
  }
}
