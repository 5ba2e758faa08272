import Desktop
import GnuTLSCrypto
import LoginCore

/// The short life of this program as what the desktop starts for an address with a registered scheme: it brings the
/// address to the login that waits for it.
enum CallbackChild {
  /// What makes this program such a child: no option, so that no command line of a user does. The address comes
  /// behind it.
  static let argument = "take-callback:"

  /// The exit status says whether a login has gone on with it.
  static func run(_ callback: String, places: SchemeRegistration.Places?) -> Int32 {
    if let places { SchemeRegistration.endAbandoned(in: places) }
    switch ending(callback) {
    case .taken: return 0
    case .refused:
      Messages().report(.untrusted(.malformedCallback(reason: "it is not the answer waited for")))
    case .nobodyWaits:
      Messages().report(.user(.cancelled("no sign-in waits for this answer")))
      CallbackHandover.tellOfFailure()
    }
    return 1
  }

  private static func ending(_ callback: String) -> CallbackHandover.Ending {
    guard let name = try? LoginBusName(ofCallback: callback, cryptography: GnuTLSCryptography()) else {
      return .nobodyWaits
    }
    return CallbackHandover.hand(callback, to: name.text)
  }
}

extension Environment {
  /// Where a scheme is registered; nothing without a home.
  var schemePlaces: SchemeRegistration.Places? {
    guard let data = folder("XDG_DATA_HOME", default: ".local/share"),
      let configuration = folder("XDG_CONFIG_HOME", default: ".config"), let state = stateFolder
    else { return nil }
    return SchemeRegistration.Places(data: data, configuration: configuration, state: state)
  }
}
