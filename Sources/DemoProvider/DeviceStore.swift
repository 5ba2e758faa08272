import LoginCore

/// The devices that wait for somebody to sign in elsewhere (RFC 8628).
struct DeviceStore: Sendable {
  static let life: Int64 = 600
  /// How long a device waits between two questions, unless it is told otherwise (RFC 8628 section 3.2).
  static let interval: Int64 = 5

  /// How far it has come.
  enum Progress: Sendable {
    case pending
    case denied
    case allowed(Grant)
  }

  private struct Device: Sendable {
    let scope: [DemoScope]
    let expiry: UTCDate
    var progress = Progress.pending
    var interval = DeviceStore.interval
    var lastPoll: UTCDate?
  }

  private var devices = ExpiringTable<Device>(capacity: 200)
  private var codes = ExpiringTable<String>(capacity: 200)

  mutating func add(_ deviceCode: String, userCode: String, scope: [DemoScope], now: UTCDate) {
    let expiry = now.later(Self.life)
    // The device is remembered for as long again, to be told that its time has passed.
    let device = Device(scope: scope, expiry: expiry)
    devices.insert(device, for: deviceCode, until: expiry.later(Self.life), now: now)
    codes.insert(deviceCode, for: Self.letters(userCode), until: expiry, now: now)
  }

  /// The device that shows a user code, however it was typed (RFC 8628 section 6.1). A code is good for one
  /// decision.
  mutating func takeDevice(userCode: String, now: UTCDate) -> (code: String, scope: [DemoScope])? {
    guard let code = codes.take(Self.letters(userCode), at: now),
      let device = devices.value(for: code, at: now)
    else { return nil }
    return (code, device.scope)
  }

  mutating func finish(_ deviceCode: String, _ progress: Progress) {
    devices.update(deviceCode) { $0.progress = progress }
  }

  /// What a device is told; the grant is handed out once (RFC 8628 section 3.5).
  mutating func poll(_ deviceCode: String, now: UTCDate) throws(OAuthError) -> Grant {
    guard let device = devices.value(for: deviceCode, at: now) else {
      throw OAuthError(.invalidGrant, "This device_code is unknown.")
    }
    if device.expiry <= now { throw OAuthError(.expiredToken, "Nobody has signed in in time.") }
    let isTooSoon = device.lastPoll.map { now.seconds(since: $0) < device.interval } ?? false
    devices.update(deviceCode) {
      $0.lastPoll = now
      if isTooSoon { $0.interval += 5 }
    }
    switch device.progress {
    case .pending where isTooSoon: throw OAuthError(.slowDown, "Please ask five seconds less often.")
    case .pending: throw OAuthError(.authorizationPending, "Nobody has signed in yet.")
    case .denied: throw OAuthError(.accessDenied, "The user said no.")
    case .allowed(let grant):
      _ = devices.take(deviceCode, at: now)
      return grant
    }
  }

  private static func letters(_ userCode: String) -> String {
    userCode.uppercased().filter { $0.isASCII && $0.isLetter }
  }
}
