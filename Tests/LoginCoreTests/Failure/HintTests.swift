import Testing

@testable import LoginCore

@Suite("Hint")
struct HintTests {
  @Test("A hint that is true for everybody is printed with its failure; a step that a program words is not")
  func printed() {
    #expect("\(Failure(.network, "a", hint: "see \("b")"))" == "a (see b)")
    #expect("\(Failure.noClient)" == "no client identifier was given")
  }

  @Test("The hint about an account is the nearest name, or the list of names")
  func accounts() {
    #expect(Failure.unknownAccount("wrk", nearest: "work").hint == "did you mean work?")
    #expect(Failure.unknownAccount("work").hint == .listAccounts)
  }

  @Test("An account of a later version needs that version; another one that cannot be read is forgotten")
  func unreadable() {
    #expect(Failure.unreadableAccount("work", Account.laterVersion).hint == "update tokentry")
    #expect(Failure.unreadableAccount("work", "it is empty").hint == .forgetUnreadableAccount)
  }

  @Test(
    "A certificate can be trusted if its fingerprint is known; the clock matters if only the date is wrong")
  func certificates() {
    func hint(_ flaws: [CertificateFlaw], _ fingerprint: String?) -> Failure.Hint? {
      Failure.untrustedCertificate("as.test", flaws, fingerprint: fingerprint).hint
    }
    #expect(hint([.expired], "AB") == .trustCertificate(host: "as.test", isOfWrongDate: true))
    #expect(hint([.notYetValid], "AB") == .trustCertificate(host: "as.test", isOfWrongDate: true))
    #expect(hint([.expired, .otherHost], "AB") == .trustCertificate(host: "as.test", isOfWrongDate: false))
    #expect(hint([.expired], nil) == nil)
  }

  @Test("Only an endpoint that does not exist may have a wrong address")
  func endpoints() {
    #expect(Failure.status(404, from: .token).hint == .checkEndpoint(.token))
    #expect(Failure.status(500, from: .token).hint == nil)
  }
}
