/// Carries out what must not be cut in two by a task that is cancelled meanwhile, such as to ask for what can be had once
/// and to keep it. A task that is cancelled already does not begin with it.
func unabandoned<Value: Sendable>(
  _ body: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  if Task.isCancelled { throw .user(.cancelled(.task)) }
  // A task of its own is told of no other's end.
  let task = Task { () -> Result<Value, Failure> in
    do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
  }
  return try await task.value.get()
}
