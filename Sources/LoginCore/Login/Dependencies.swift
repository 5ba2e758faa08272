/// The things that every session needs from outside: a network, cryptography and a clock.
public struct Dependencies: Sendable {
  /// The transport to the provider's servers.
  public var transport: any HTTPTransport
  /// Random bytes, digests and signatures.
  public var cryptography: any Cryptography
  /// The clock, for expiry dates and for the pauses between questions to a server.
  public var clock: any WallClock
  /// Called for an answer whose `expires_in` is not a number of seconds. The token then counts as one without an expiry date.
  package var onUnreadableLifetime: @Sendable () -> Void = {}
  /// The memory of a program that asks the same servers again and again.
  package var memory: ServerMemory?
  private let begin: @Sendable (@escaping @Sendable () async -> Void) -> Void

  /// Creates the dependencies.
  public init(transport: any HTTPTransport, cryptography: any Cryptography, clock: any WallClock) {
    self.init(transport: transport, cryptography: cryptography, clock: clock) { Task(operation: $0) }
  }

  /// Creates the dependencies. `begin` starts a refresh, which has to finish even if the task that asked for it is
  /// cancelled.
  package init(
    transport: any HTTPTransport, cryptography: any Cryptography, clock: any WallClock,
    begin: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
  ) {
    (self.transport, self.cryptography, self.clock, self.begin) = (transport, cryptography, clock, begin)
  }

  /// Runs `body` to its end even if the calling task is cancelled meanwhile, and waits for it: fetching a token that can be
  /// fetched only once, and saving it. A task that is already cancelled does not start.
  func unabandoned<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    if Task.isCancelled { throw .cancelled }
    let result = await withCheckedContinuation { continuation in
      // An unstructured task does not inherit cancellation.
      begin {
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  /// Runs `body` to its end, but a cancelled task does not wait for it: a login that has ended has no use for the result.
  static func detached<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, Failure>.self)
    Task {
      do throws(Failure) { continuation.yield(.success(try await body())) } catch {
        continuation.yield(.failure(error))
      }
    }
    for await result in results { return try result.get() }
    throw .cancelled
  }
}

/// A clock that shows the time of day.
public protocol WallClock: Sendable {
  /// Returns the current second.
  func now() -> UTCDate
  /// Waits for that many seconds. Throws ``Failure/cancelled`` as soon as its task is cancelled.
  func wait(seconds: Int64) async throws(Failure)
}
