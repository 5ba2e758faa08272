import GLibSupport
import LoginCore

/// Replaces a web view in tests: it reads navigations, one URI a line, and asks the policy about each.
package struct NavigationsAgent: UserAgent {
  private let descriptor: Int32
  private let observe: @Sendable (_ uri: String, _ decision: String) -> Void

  /// Reads the lines from `descriptor`, and calls `observe` for each.
  package init(descriptor: Int32, observe: @escaping @Sendable (_ uri: String, _ decision: String) -> Void) {
    self.descriptor = descriptor
    self.observe = observe
  }

  @GLibActor
  package func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    let reader = DescriptorReader(descriptor: descriptor)
    while let line = try await nextLine(reader) {
      let decision = visit.policy.decision(for: line)
      observe(String(decoding: line, as: UTF8.self), decision.name)
      switch decision {
      case .allow, .ignore: continue
      case .callback(let callback): return .callback(callback)
      case .errorPage(let uri): return .errorPage(uri: uri, body: nil)
      }
    }
    throw Failure(.cancelled, "the list of navigations ended before the redirect")
  }

  package func dismiss() async {}

  /// Returns the next line that is not empty, without a carriage return at its end.
  @GLibActor
  private func nextLine(_ reader: DescriptorReader) async throws(Failure) -> [UInt8]? {
    do throws(SystemError) {
      // One byte more than a callback may have tells the policy that the line is too long.
      while var line = try await reader.line(keeping: Callback.maximumLength + 1) {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if !line.isEmpty { return line }
      }
      return nil
    } catch {
      throw Failure(.invalidOption, "the navigations cannot be read: \(error.message)")
    }
  }
}

extension NavigationPolicy.Decision {
  /// The decision in a trace.
  var name: String {
    switch self {
    case .allow: "allow"
    case .ignore: "ignore"
    case .callback: "callback"
    case .errorPage: "error page"
    }
  }
}
