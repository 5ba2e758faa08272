/// The claims of a JWT (RFC 7519 section 4), and the failure that refuses them.
struct Claims: Sendable {
  let members: JSONObject
  private let refusal: @Sendable (Message, JSONObject) -> Failure

  /// `refusal` makes the failure from a clause about "it" and from facts for programs.
  init(_ members: JSONObject, _ refusal: @escaping @Sendable (Message, JSONObject) -> Failure) {
    (self.members, self.refusal) = (members, refusal)
  }

  /// Reads the payload of a JWT.
  init(of payload: [UInt8], _ refusal: @escaping @Sendable (Message, JSONObject) -> Failure) throws(Failure) {
    let members = try JSONReader.members(of: payload) { error -> Failure in
      refusal("its payload is not JSON: \(error.located)", [:])
    }
    self.init(members, refusal)
  }

  subscript(name: String) -> JSONValue? { members[name] }

  func missing(_ names: [String]) -> Failure {
    refusal("it lacks \(names.verbatim.list)", ["missing": .array(names.map(JSONValue.string))])
  }

  func malformed(_ name: String) -> Failure { refusal("its \(name) is malformed", [:]) }

  /// Throws if one of these claims is missing.
  func require(_ names: [String]) throws(Failure) {
    let missing = names.filter { members[$0] == nil }
    guard missing.isEmpty else { throw self.missing(missing) }
  }

  /// Returns nil if the claim is missing.
  func text(_ name: String) throws(Failure) -> String? {
    guard let claim = members[name] else { return nil }
    guard let text = claim.string else { throw malformed(name) }
    return text
  }

  /// Returns a NumericDate (RFC 7519 section 2) without fractions of a second, or nil if the claim is missing.
  func time(_ name: String) throws(Failure) -> Int64? {
    guard let claim = members[name] else { return nil }
    guard let seconds = claim.truncated else { throw malformed(name) }
    return seconds
  }

  /// `aud`: one string, or an array of them.
  func audiences() throws(Failure) -> [String] {
    if let one = members["aud"]?.string { return [one] }
    var audiences: [String] = []
    for element in members["aud"]?.array ?? [] {
      guard let audience = element.string else { throw malformed("aud") }
      audiences.append(audience)
    }
    guard !audiences.isEmpty else { throw malformed("aud") }
    return audiences
  }

  /// True if both have the same audiences; their order does not matter.
  func isForAudiences(of other: Claims) throws(Failure) -> Bool {
    let own = try audiences(), others = try other.audiences()
    func contains(_ list: [String], _ text: String) -> Bool { list.contains { $0.isIdentical(to: text) } }
    return own.allSatisfy { contains(others, $0) } && others.allSatisfy { contains(own, $0) }
  }

  /// Throws unless the JWT is valid at `now`. The clocks of the two sides may differ by `skew` seconds.
  func checkTimes(at now: UTCDate, skew: Int64, mayHaveEnded: Bool = false) throws(Failure) {
    let now = now.secondsSince1970
    guard let expiry = try time("exp"), now - skew < expiry || mayHaveEnded else {
      throw refusal("it has expired", [:])
    }
    guard let issued = try time("iat"), issued <= now + skew else {
      throw refusal("it was issued in the future; is the clock right?", [:])
    }
    if let start = try time("nbf"), start > now + skew { throw refusal("it is not valid yet", [:]) }
  }
}
