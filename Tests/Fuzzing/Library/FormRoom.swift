@testable import LoginCore

extension Room {
  /// Forms: read as another reader does, and written so that they are read again as the same.
  static let forms = Room(
    name: "forms", longest: 256,
    growing: [
      ("names", { pieces($0) { "n\($0)=1&" } }), ("one name", { pieces($0) { _ in "n=1&" } }),
      ("escapes", { pieces($0, from: "a=") { _ in "%2B" } }),
    ]
  ) { bytes in
    var list = ParameterList()
    list.append(formEncoded: bytes.span)
    let own = Parameters(form: bytes)
    demand(list.parameters.count == own.all.count, "as many parameters as there are")
    for (parameter, other) in zip(list.parameters, own.all) {
      demand(parameter == Parameter(other.name, other.value), "\(parameter) is \(other)")
    }
    let written = FormEncoding.encode(list.parameters)
    demand(
      written.utf8.allSatisfy { $0.isUnreserved || "%=&".utf8.contains($0) },
      "nothing is left to be encoded: \(written)")
    var again = ParameterList()
    again.append(formEncoded: written.bytes.span)
    demand(again.parameters == list.parameters, "what was written is read as the same: \(written)")
    let isRepeated = list.repeatedName != nil
    demand(isRepeated == own.hasRepeatedName, "a name is there twice, or not")
    if let name = list.repeatedName { demand(list.repeats(name), "\(name) is there twice") }
    demand(
      (ParameterList(form: bytes, upTo: 3) == nil) == (own.all.count > 3), "no more than three parameters")
  }
}
