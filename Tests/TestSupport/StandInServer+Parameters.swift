import Foundation

extension StandInServer.Request {
  /// The parameters of the query in their order, decoded.
  public var queryItems: [URLQueryItem] {
    Self.items(target.components(separatedBy: "?").dropFirst().joined(separator: "?"))
  }

  /// The parameters of the body in their order, decoded.
  public var formItems: [URLQueryItem] { Self.items(body) }

  /// The parameters of the query by name.
  public var query: [String: String] { Self.byName(queryItems) }

  /// The parameters of the body by name.
  public var form: [String: String] { Self.byName(formItems) }

  private static func items(_ text: String) -> [URLQueryItem] {
    text.split(separator: "&").map { pair in
      let halves = pair.replacingOccurrences(of: "+", with: " ").split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = halves.map { $0.removingPercentEncoding ?? "" }
      return URLQueryItem(name: texts[0], value: texts.count > 1 ? texts[1] : "")
    }
  }

  /// A parameter that is there twice has both values, so that no test takes it for one that is there once.
  private static func byName(_ items: [URLQueryItem]) -> [String: String] {
    Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $0 + "," + $1 })
  }
}
