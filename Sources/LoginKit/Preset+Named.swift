import LoginCore
import Platform
import SignIn

extension Preset {
  /// Reads the preset with this name, such as `github`, or the file at this path. Tokentry's presets are in
  /// `tokentry/providers` of the user's and the system's data folders; `tokentry providers` lists them.
  public init(named name: String) throws(Failure) {
    self = try ProviderCatalog(environment: Environment()).preset(name)
  }
}
