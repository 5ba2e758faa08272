import LoginCore
import SoupNetwork

/// The device authorization grant (RFC 8628).
extension AuthorizationServer {
  /// A device asks for its codes.
  mutating func authorizeDevice(
    _ request: HTTPServerRequest, _ parameters: ParameterList
  ) throws(OAuthError) -> HTTPServerResponse {
    try checkClient(request, parameters)
    let scope = try DemoScope.list(parameters["scope"])
    let deviceCode = try mint.secret()
    let userCode = try mint.userCode()
    devices.add(deviceCode, userCode: userCode, scope: scope, now: clock.now())
    let page = issuer + Route.device.rawValue
    return .json([
      "device_code": .string(deviceCode), "user_code": .string(userCode),
      "verification_uri": .string(page),
      "verification_uri_complete": .string("\(page)?user_code=\(userCode)"),
      "expires_in": .number(JSONNumber(DeviceStore.life)),
      "interval": .number(JSONNumber(DeviceStore.interval)),
    ])
  }

  /// Somebody has typed the code that a device shows.
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

  /// A device asks whether somebody has signed in.
  mutating func pollDevice(_ parameters: ParameterList) throws(OAuthError) -> HTTPServerResponse {
    guard let code = parameters["device_code"] else {
      throw OAuthError(.invalidRequest, "There is no device_code.")
    }
    return try tokenAnswer(for: devices.poll(code, now: clock.now()))
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
