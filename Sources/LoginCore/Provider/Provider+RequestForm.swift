extension Provider {
  /// How an endpoint is asked that keeps to no standard.
  public struct RequestForm: Sendable, Equatable {
    /// What is done there.
    public var method = HTTPRequest.Method.get
    /// The names of the parameters that a form carries.
    public var members: [String] = []
    /// The names of those that are in the query even so.
    public var query: [String] = []

    /// As the standards say.
    public init() {}
  }
}

extension Provider.RequestForm {
  /// The object in a preset.
  var json: JSONObject {
    var object: JSONObject = ["method": .string(method.rawValue)]
    for (name, names) in [("members", members), ("query", query)] where !names.isEmpty {
      object[name] = .array(names.map(JSONValue.string))
    }
    return object
  }

  /// Reads it, where there is one; its members have been checked.
  init?(_ value: JSONValue?) {
    guard let object = value?.object else { return nil }
    if let method = object["method"]?.string.flatMap(HTTPRequest.Method.init) { self.method = method }
    members = (object["members"]?.array ?? []).compactMap(\.string)
    query = (object["query"]?.array ?? []).compactMap(\.string)
  }
}
