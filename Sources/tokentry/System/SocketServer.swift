import GLibSupport
import Glibc
import SignIn

/// A program's connection to one of our sockets.
@GLibActor
protocol ServedConnection: Sendable {
  /// Serves the program until it closes the connection. A cancelled task ends once the request in progress is answered.
  func serve() async
  /// Ends the connection as if the program had closed it.
  func cut()
  /// Identifies the programs whose connections are counted together.
  var group: String? { get }
  /// The time at which the program last said something, or nil while nobody else may take its place.
  var silentSince: ContinuousClock.Instant? { get }
}

/// Accepts connections at a listening socket until it is told to end.
@GLibActor
final class SocketServer {
  private let descriptor: Int32
  private let maximum: Int
  private let connect: @GLibActor @Sendable (Int32) -> any ServedConnection
  private var connections: [Int: (connection: any ServedConnection, task: Task<Void, Never>)] = [:]
  private var accepted = 0
  private var watch: Source?
  private let end = FirstResult<Void, Never>()
  private let lastEnd = FirstResult<Void, Never>()

  /// Beyond the `maximum` number of connections, one more takes the place of one of the program that has the most.
  init(
    _ descriptor: Int32, upTo maximum: Int,
    _ connect: @escaping @GLibActor @Sendable (Int32) -> any ServedConnection
  ) {
    (self.descriptor, self.maximum, self.connect) = (descriptor, maximum, connect)
  }

  func stop() { end.finish(.success(())) }

  /// Serves until ``stop()``. Then requests in progress have this time, and so has `work` that outlives its askers.
  func serve(
    _ time: Run, timeToEnd: Duration, finishing work: @escaping @GLibActor @Sendable () async -> Void
  ) async {
    listen()
    _ = await end.result()
    watch = nil
    // Each connection ends as soon as it has no request in progress.
    connections.values.forEach { $0.task.cancel() }
    let rest = GLibActor.task { [lastEnd, hasEnded = connections.isEmpty] in
      if !hasEnded { _ = await lastEnd.result() }
      await work()
    }
    _ = await time.last(of: rest, within: timeToEnd)
  }

  private func listen() {
    watch = .readable(descriptor) { [weak self] in self?.accept() }
  }

  private func accept() {
    while connections.count < maximum, let descriptor = UnixSocket.accepted(descriptor) {
      accepted += 1
      let number = accepted
      let connection = connect(descriptor)
      let task = GLibActor.task { [weak self] in
        await connection.serve()
        self?.closed(number)
      }
      connections[number] = (connection, task)
    }
    if connections.count >= maximum {
      // The next one waits until a connection has ended, or has become silent.
      watch = displaced == nil ? .after(.milliseconds(100)) { [weak self] in self?.listen() } : nil
      displaced?.cut()
    }
  }

  /// The connection that has to end: of those of the program that has the most, the one that has been silent for longest.
  private var displaced: (any ServedConnection)? {
    let silent = connections.values.map(\.connection).filter { $0.silentSince != nil }
    let programs = Dictionary(grouping: silent) { $0.group ?? "" }
    return programs.values.max { $0.count < $1.count }?.min {
      ($0.silentSince ?? .now) < ($1.silentSince ?? .now)
    }
  }

  private func closed(_ number: Int) {
    connections[number] = nil
    if end.isThere {
      if connections.isEmpty { lastEnd.finish(.success(())) }
      return
    }
    listen()
  }
}
