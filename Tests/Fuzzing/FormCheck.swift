@testable import LoginCore

extension Check {
  /// Forms: read like a second reader does, and written so that they can be read back.
  static let forms = Check(growing: [
    ("names", { pieces($0) { "n\($0)=1&" } }), ("one name", { pieces($0) { _ in "n=1&" } }),
    ("escapes", { pieces($0, from: "a=") { _ in "%2B" } }),
  ]
  ) { bytes in
    var list = ParameterList()
    list.append(formEncoded: bytes.span)
    let own = Parameters(form: bytes)
    require(list.parameters.count == own.all.count, "all parameters are read")
    for (parameter, other) in zip(list.parameters, own.all) {
      require(parameter == Parameter(other.name, other.value), "\(parameter) is \(other)")
    }
    let written = FormEncoding.encode(list.parameters)
    require(
      written.utf8.allSatisfy { $0.isUnreserved || "%=&".utf8.contains($0) },
      "everything is encoded: \(written)")
    var again = ParameterList()
    again.append(formEncoded: written.bytes.span)
    require(again.parameters == list.parameters, "a form is read back unchanged: \(written)")
    let isRepeated = list.repeatedName != nil
    require(isRepeated == own.hasRepeatedName, "a repeated name is found")
    if let name = list.repeatedName { require(list.repeats(name), "\(name) is repeated") }
    require(
      (ParameterList(form: bytes, upTo: 3) == nil) == (own.all.count > 3), "a list above the limit is refused"
    )
  }
}
