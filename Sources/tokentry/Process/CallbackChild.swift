import Desktop
import GnuTLSCrypto
import LoginCore
import UserAgents
import Wording

/// The short life of this program as what the desktop starts for an address with a registered scheme: it brings the
/// address to the login that waits for it.
enum CallbackChild {
  /// What makes this program such a child: no option, so that no command line of a user does. The address comes
  /// behind it.
  static let argument = "take-callback:"

  /// The exit status says whether a login has gone on with it.
  static func run(_ callback: String, folders: SchemeRegistration.Folders?) -> Int32 {
    if let folders { SchemeRegistration.endAbandoned(in: folders) }
    switch ending(callback) {
    case .taken: return 0
    case .refused: Messages().report(.untrusted(.malformedCallback(.stray)))
    case .nobodyWaits:
      Messages().report(.run(.nobodyWaits))
      DesktopNotification.show(DesktopText.lostAnswer.title.text, DesktopText.lostAnswer.sentence.text)
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
  var schemeFolders: SchemeRegistration.Folders? {
    guard let data = folder("XDG_DATA_HOME", default: ".local/share"),
      let configuration = folder("XDG_CONFIG_HOME", default: ".config"), let state = stateFolder
    else { return nil }
    return SchemeRegistration.Folders(data: data, configuration: configuration, state: state)
  }
}
