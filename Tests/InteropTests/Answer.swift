import Foundation
import Testing

@testable import LoginCore
@testable import TestSupport

/// What the real program answered.
struct Answer {
  let status: Int32
  let text: String
  let errors: String
  private let members: [String: Any]
  /// The seconds since 1970 in which the program ran.
  private let run: ClosedRange<Int>

  /// The answer of a program that runs, once it has ended.
  init(of program: Program) async throws {
    status = try #require(await program.end(), "\(program.errors)")
    let start = Int(program.start.timeIntervalSince1970)
    run = start...max(start, Int(Date().timeIntervalSince1970))
    (text, errors) = (program.text, program.errors)
    members = try Self.object(text.utf8)
  }

  subscript(_ name: String) -> String? { members[name] as? String }

  /// Whether the token was good for this time when it came, however long the program then took to end: it came in
  /// the run, and what is left of it was counted between then and the end.
  func lasted(_ seconds: Int) -> Bool {
    guard let left = members["expires_in"] as? Int,
      let end = self["expires_at"].flatMap({ UTCDate($0) })
    else { return false }
    let receipt = Int(end.secondsSince1970) - seconds
    guard run.contains(receipt) else { return false }
    return (max(0, seconds - (run.upperBound - receipt))...seconds).contains(left)
  }

  var checks: [String: String] { members["checks"] as? [String: String] ?? [:] }

  var claims: [String: Any] { members["claims"] as? [String: Any] ?? [:] }

  var details: [String: String] { members["details"] as? [String: String] ?? [:] }

  /// What the id_token was signed with.
  func algorithm() throws -> String? {
    var header = try #require(self["id_token"]?.split(separator: ".").first.map(String.init))
    header = header.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    header += String(repeating: "=", count: (4 - header.count % 4) % 4)
    return try Self.object(#require(Data(base64Encoded: header)))["alg"] as? String
  }

  private static func object(_ bytes: some Sequence<UInt8>) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }
}
