extension Provider {
  /// How a device asks for its token where the provider is older than RFC 8628: with a grant of another name, and its
  /// code in another parameter.
  public struct DeviceGrant: Sendable, Equatable {
    /// The `grant_type`.
    public var type = "urn:ietf:params:oauth:grant-type:device_code"
    /// The name of the parameter with the code.
    public var parameter = "device_code"

    /// As the standard says (section 3.4).
    public init() {}

    /// Reads the object in a preset, where there is one; its members have been checked.
    init?(_ value: JSONValue?) {
      guard let object = value?.object else { return nil }
      if let type = object["grant_type"]?.string { self.type = type }
      if let parameter = object["parameter"]?.string { self.parameter = parameter }
    }

    /// The object in a preset.
    var json: JSONObject { ["grant_type": .string(type), "parameter": .string(parameter)] }
  }
}
