/// Why there is no token; the cases are grouped by who can do something about it.
///
/// A failure is a reason and no sentence: what a person reads, and what a program is answered, is made of it elsewhere.
public enum Failure: Error, Sendable, Equatable {
  /// The application that started the login asked for something that cannot be.
  case caller(CallerFault)
  /// The user did not sign in.
  case user(UserFault)
  /// The provider refused.
  case provider(ProviderError)
  /// An API did not do what it was asked to do.
  case resource(ResourceFault)
  /// The provider could not be reached, or what was reached is no provider.
  case network(NetworkFault)
  /// An answer came that must not be trusted.
  case untrusted(UntrustedAnswer)
  /// An account or a client could not be kept, or is not there.
  case store(StoreFault)
  /// A part that the application brought along failed for a reason of its own.
  case foreign(ForeignFault)
  /// What another program of this user ended with, for which this one has waited: whatever that one has told of it.
  case repeated(JSONObject)
  /// A defect in this package, or in what the application brought along.
  case defect(Defect)
}

/// A failure of a part that an application brings along, such as its user agent or its store.
public protocol ApplicationFault: Error, Sendable, Equatable {
  /// Whether every other program that waits for the same account would fail like this one.
  var concernsOthers: Bool { get }
}

/// One of an application's own faults, which nothing in this package looks into.
public struct ForeignFault: Sendable, Equatable {
  /// The fault itself.
  public let fault: any ApplicationFault

  public static func == (left: ForeignFault, right: ForeignFault) -> Bool { left.fault.equals(right.fault) }
}

extension ApplicationFault {
  fileprivate func equals(_ other: any ApplicationFault) -> Bool { self == other as? Self }
}

extension Failure {
  /// A failure for a reason of the application's own.
  public static func application(_ fault: some ApplicationFault) -> Failure {
    .foreign(ForeignFault(fault: fault))
  }

  /// The application's own reason, if it is of this kind.
  public func fault<Fault: ApplicationFault>(as kind: Fault.Type = Fault.self) -> Fault? {
    if case .foreign(let foreign) = self { foreign.fault as? Fault } else { nil }
  }
}

/// The value of an expression whose own fault is a failure here.
package func failing<Value: ~Copyable, Fault: Error>(
  _ value: @autoclosure () throws(Fault) -> Value, as failure: (Fault) -> Failure
) throws(Failure) -> Value {
  do throws(Fault) { return try value() } catch { throw failure(error) }
}

/// Where in the source something happened that cannot be.
public struct Defect: Sendable, Equatable {
  /// Module, file and line.
  public let place: String
  /// What a library said of it.
  public let detail: String?

  /// The place at which this is called.
  public static func here(
    _ detail: String? = nil, _ file: StaticString = #fileID, _ line: UInt = #line
  ) -> Defect {
    Defect(place: "\(file):\(line)", detail: detail)
  }
}
