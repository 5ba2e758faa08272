import GLibSupport
import LoginCore
import PrivateFiles

/// A turn at an account: a lock, and beside it a file in which everybody reads how the attempts have ended.
final class FileTurn: AccountTurn {
  let log: AttemptLog
  let needsLogin: Bool
  private let lock: FileLock
  private let file: File

  private init(_ log: AttemptLog, needsLogin: Bool, lock: FileLock, file: File) {
    self.log = log
    self.needsLogin = needsLogin
    self.lock = lock
    self.file = file
  }

  func tell(_ log: AttemptLog) { file.write(log) }

  /// Waits for a turn, or for the end of another one.
  @GLibActor
  static func wait(
    for name: AccountName, in folder: String, _ waiting: TurnWait, _ onWait: OtherPrograms
  ) async throws(Failure) -> Turn {
    let lock = try FileLock(for: name.fileName, in: folder)
    let file = File(folder: folder, name: name)
    // The first attempt whose end concerns this program; nothing as long as nobody is in its way.
    var awaited: Int64?
    let theirs = try await lock.untilTaken(onWait) { () throws(Failure) -> AttemptOutcome? in
      if case .no = waiting {
        throw .user(.alreadyInProgress(account: name.description))
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
    return .mine(FileTurn(log, needsLogin: outcome == .needsLogin, lock: lock, file: file))
  }

  /// The file beside the lock; there is one for each, with the last few attempts. Without it nobody learns anything,
  /// and each tries for itself when its turn comes.
  private struct File {
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
