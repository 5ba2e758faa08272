/// What a server of ours puts up with, so that no client can exhaust its memory, its descriptors or its time.
public struct ServerLimits: Sendable {
  /// The most bytes of all header fields; no request of a browser comes near.
  public var headerBytes = 64 * 1_024
  /// The most bytes of a body: a form with a token in it has a tenth of that.
  public var bodyBytes = 64 * 1_024
  /// The most connections. One more displaces the one that has been silent for longest.
  public var connections = 64
  /// How long a client may take to send a request, or to read an answer.
  public var patience: Duration = .seconds(10)

  /// The usual limits.
  public init() {}
}
