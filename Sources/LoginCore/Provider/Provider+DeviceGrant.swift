extension Provider {
  /// How a device asks for its token where the provider is older than RFC 8628: with a grant of another name, and its
  /// code in another parameter.
  public struct DeviceGrant: Sendable, Equatable, PresetObject {
    /// The `grant_type`.
    public var type = "urn:ietf:params:oauth:grant-type:device_code"
    /// The name of the parameter with the code.
    public var parameter = "device_code"

    /// As the standard says (section 3.4).
    public init() {}

    static let members: [PresetMember<Self>] = [
      .init("grant_type", .always(.text(), \.type) { $0.type = $1 }),
      .init("parameter", .always(.text(), \.parameter) { $0.parameter = $1 }),
    ]
  }
}
