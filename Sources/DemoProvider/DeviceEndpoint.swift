import LoginCore
import SoupNetwork

/// The device authorization grant (RFC 8628).
extension DemoServer {
  /// Issues the codes for a device.
  mutating func authorizeDevice(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    try checkClient(request, parameters)
    let scope = try DemoScope.list(parameters["scope"])
    let deviceCode = try mint.secret()
    let userCode = try mint.userCode()
    devices.add(deviceCode, userCode: userCode, scope: scope, now: clock.now())
    switch meets(.denied) ? .deny : settings.access {
    case .ask: break
    case .allow: devices.finish(deviceCode, .allowed(Grant(session: try usualSession(), scope: scope)))
    case .deny: devices.finish(deviceCode, .denied)
    }
    let page = issuer + Route.device.rawValue
    return .json([
      "device_code": .string(deviceCode), "user_code": .string(userCode),
      "verification_uri": .string(page),
      "verification_uri_complete": .string("\(page)?user_code=\(userCode)"),
      "expires_in": .number(JSONNumber(DeviceStore.life)),
      "interval": .number(JSONNumber(DeviceStore.interval)),
    ])
  }

  /// Answers the form with the code that a device shows.
  mutating func enterUserCode(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    guard let userCode = parameters["user_code"],
      let device = devices.takeDevice(userCode: userCode, now: clock.now())
    else {
      return pages.userCode(
        prefilled: parameters["user_code"], error: "No device shows this code now.", status: 403)
    }
    return try begin(.device(code: device.code, scope: device.scope), in: request)
  }

  /// Answers a device that polls.
  mutating func pollDevice(
    _ parameters: ParameterList, _ thumbprint: String?
  ) throws(OAuthError) -> HTTPServerResponse {
    guard let code = parameters["device_code"] else {
      throw OAuthError(.invalidRequest, "There is no device_code.")
    }
    return try tokenAnswer(for: devices.poll(code, now: clock.now()), thumbprint)
  }

  mutating func finishDevice(
    _ code: String, _ scope: [DemoScope], in session: Session, _ decision: Decision
  ) -> HTTPServerResponse {
    guard decision == .allow else {
      devices.finish(code, .denied)
      return pages.message("The device was refused", "Nothing was shared. You can close this page.")
    }
    devices.finish(code, .allowed(Grant(session: session, scope: scope)))
    return pages.message("Your device is signed in", "Go back to it; you can close this page.")
  }
}

/// The devices whose users have yet to sign in elsewhere (RFC 8628).
struct DeviceStore: Sendable {
  static let life: Int64 = 600
  /// The seconds between two polls, unless the device is told to slow down (RFC 8628 section 3.2).
  static let interval: Int64 = 5

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
    // The device is kept for twice as long, so that it can be told that its code has expired.
    let device = Device(scope: scope, expiry: expiry)
    devices.insert(device, for: deviceCode, until: expiry.later(Self.life), now: now)
    codes.insert(deviceCode, for: Self.letters(userCode), until: expiry, now: now)
  }

  /// Returns the device that shows a user code, and forgets the code: it is valid for one decision. Case and punctuation do
  /// not matter (RFC 8628 section 6.1).
  mutating func takeDevice(userCode: String, now: UTCDate) -> (code: String, scope: [DemoScope])? {
    guard let code = codes.take(Self.letters(userCode), at: now),
      let device = devices.value(for: code, at: now)
    else { return nil }
    return (code, device.scope)
  }

  mutating func finish(_ deviceCode: String, _ progress: Progress) {
    devices.update(deviceCode) { $0.progress = progress }
  }

  /// Returns the grant, once, or throws what the device has to be told (RFC 8628 section 3.5).
  mutating func poll(_ deviceCode: String, now: UTCDate) throws(OAuthError) -> Grant {
    guard let device = devices.value(for: deviceCode, at: now) else {
      throw OAuthError(.invalidGrant, "This device_code is unknown.")
    }
    if device.expiry <= now { throw OAuthError(.expiredToken, "The code has expired.") }
    let isTooSoon = device.lastPoll.map { now.seconds(since: $0) < device.interval } ?? false
    devices.update(deviceCode) {
      $0.lastPoll = now
      if isTooSoon { $0.interval += 5 }
    }
    switch device.progress {
    case .pending where isTooSoon: throw OAuthError(.slowDown, "Please ask five seconds less often.")
    case .pending: throw OAuthError(.authorizationPending, "The user has not signed in yet.")
    case .denied: throw .denied
    case .allowed(let grant):
      _ = devices.take(deviceCode, at: now)
      return grant
    }
  }

  private static func letters(_ userCode: String) -> String {
    userCode.uppercased().filter { $0.isASCII && $0.isLetter }
  }
}
