/// The document through which programs tell each other of their attempts.
extension AttemptLog {
  private static let documentVersion: Int64 = 1
  /// The most that a document may have, in bytes.
  public static let maximumDocumentSize = 64 * 1_024

  /// The document, in one line.
  public var document: [UInt8] {
    let object: JSONObject = [
      "version": .number(JSONNumber(Self.documentVersion)), "newest": .number(JSONNumber(newest)),
      "under_way": .bool(isUnderWay), "ended": .array(ended.map { .object($0.json) }),
      "refused": refusals.map {
        ["times": .number(JSONNumber(Int64($0.times))), "last": .string($0.last.description)]
      },
    ]
    return Array(object.text.utf8)
  }

  /// Reads what ``document`` wrote; nothing if it is anything else, which is as if nobody had written it.
  public init?(document: [UInt8]) {
    guard let object = try? JSONReader.read(document, maximumSize: Self.maximumDocumentSize).object,
      object["version"] == .number(JSONNumber(Self.documentVersion)),
      let newest = object["newest"]?.integer, newest >= 0, newest < .max,
      let isUnderWay = object["under_way"]?.bool, let ended = object["ended"]?.array
    else { return nil }
    self.newest = newest
    self.isUnderWay = isUnderWay
    self.ended = ended.compactMap { $0.object.flatMap(Ended.init(json:)) }.suffix(Self.maximumEnded)
    refusals = object["refused"]?.object.flatMap(Refusals.init(json:))
  }
}

extension AttemptLog.Ended {
  fileprivate var json: JSONObject {
    let number = JSONValue.number(JSONNumber(number))
    return switch outcome {
    case .token: ["attempt": number, "outcome": "token"]
    case .needsLogin: ["attempt": number, "outcome": "login_required"]
    case .failed(let told): ["attempt": number, "failure": .object(told)]
    }
  }

  fileprivate init?(json: JSONObject) {
    guard let number = json["attempt"]?.integer else { return nil }
    self.number = number
    switch (json["outcome"]?.string, json["failure"]?.object) {
    case ("token", nil): outcome = .token
    case ("login_required", nil): outcome = .needsLogin
    case (nil, let told?): outcome = .failed(told)
    default: return nil
    }
  }
}

extension AttemptLog.Refusals {
  fileprivate init?(json: JSONObject) {
    guard let times = json["times"]?.integer, (1...Int64(AttemptLog.pauses.count)).contains(times),
      let last = json["last"]?.string.flatMap({ UTCDate($0) })
    else { return nil }
    self.init(times: Int(times), last: last)
  }
}

extension JSONValue {
  fileprivate var integer: Int64? {
    if case .number(let number) = self { Int64(number.literal) } else { nil }
  }
}
