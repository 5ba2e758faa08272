/// What sessions do their work with, whatever it is.
public struct Dependencies: Sendable {
  /// The way to the provider's servers.
  public let transport: any HTTPTransport
  /// Random bytes, digests and signatures.
  public let cryptography: any Cryptography
  /// The time of day.
  public let clock: any WallClock
  private let begin: @Sendable (@escaping @Sendable () async -> Void) -> Void

  /// All of them. `begin` begins with what goes on whoever leaves meanwhile, for those who have a place of their own for
  /// tasks.
  public init(
    transport: any HTTPTransport, cryptography: any Cryptography, clock: any WallClock,
    begin: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void = { Task(operation: $0) }
  ) {
    (self.transport, self.cryptography, self.clock, self.begin) = (transport, cryptography, clock, begin)
  }

  /// Carries out what must not be cut in two by a task that is cancelled meanwhile, such as to ask for what can be had
  /// once and to keep it. A task that is cancelled already does not begin with it.
  func unabandoned<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    if Task.isCancelled { throw .user(.cancelled(.task)) }
    let result = await withCheckedContinuation { continuation in
      // A task of its own is told of no other's end.
      begin {
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }
}
