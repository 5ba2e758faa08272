import GLibSupport
import LoginCore

/// Takes the user to a page that is no login, and back.
@GLibActor
enum PageVisit {
  /// The URL that came back. Whatever the visit brings, what it has opened is closed afterwards.
  static func callback(of visit: Visit, with agent: any UserAgent) async throws(Failure) -> Callback {
    let arrival: Arrival
    do throws(Failure) {
      arrival = try await agent.visit(visit)
    } catch {
      await agent.dismiss()
      await agent.conclude(.failure(error))
      throw error
    }
    await agent.dismiss()
    await agent.conclude(.answer)
    // Such a visit knows no error pages, and its answer is no code.
    guard case .callback(let callback) = arrival else { throw .defect(.here()) }
    return callback
  }
}
