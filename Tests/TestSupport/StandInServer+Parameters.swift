import Foundation

extension StandInServer.Request {
  /// The parameters of the query, decoded.
  public var query: [String: String] {
    Self.parameters(target.split(separator: "?").dropFirst().joined(separator: "?"))
  }

  /// The parameters of the body, decoded.
  public var form: [String: String] { Self.parameters(body) }

  /// A parameter that is there twice has both values, so that no test takes it for one that is there once.
  private static func parameters(_ text: String) -> [String: String] {
    let pairs = text.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1).map { $0.removingPercentEncoding ?? "" }
      return (halves[0], halves.count > 1 ? halves[1] : "")
    }
    return Dictionary(pairs, uniquingKeysWith: { $0 + "," + $1 })
  }
}
