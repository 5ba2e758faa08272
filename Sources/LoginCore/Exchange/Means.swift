/// What sessions do their work with, whatever it is.
public struct Means: Sendable {
  /// The way to the provider's servers.
  public let transport: any HTTPTransport
  /// Random bytes, digests and signatures.
  public let cryptography: any Cryptography
  /// The time of day.
  public let clock: any WallClock

  /// All three.
  public init(transport: any HTTPTransport, cryptography: any Cryptography, clock: any WallClock) {
    (self.transport, self.cryptography, self.clock) = (transport, cryptography, clock)
  }
}
