import GnuTLSCrypto
import Testing

@testable import LoginCore

@Suite("DPoP with real keys")
struct DPoPTests {
  private let cryptography = GnuTLSCryptography()

  // RFC 7638 section 3.1.
  @Test("The thumbprint of an RSA key ignores its other members")
  func rsaThumbprint() throws {
    let key: JSONObject = [
      "kty": "RSA", "alg": "RS256", "kid": "2011-04-29", "e": "AQAB",
      "n":
        "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
    ]
    let thumbprint = try Thumbprint.text(of: key, cryptography)
    #expect(thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
  }

  // RFC 9449 section 6.1.
  @Test("The thumbprint of an EC key is that of the example")
  func ecThumbprint() throws {
    let key: JSONObject = [
      "kty": "EC", "x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
      "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA", "crv": "P-256",
    ]
    let thumbprint = try Thumbprint.text(of: key, cryptography)
    #expect(thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
  }

  @Test("A key of an unknown kind has no thumbprint")
  func unknownKind() throws {
    #expect(try Thumbprint.text(of: ["kty": "oct", "k": "AA"], cryptography) == nil)
  }

  private static let header =
    "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0R"
    + "scEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtM"
    + "jU2In19"
  private static let tokenProof =
    "eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwi"
    + "aWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3L"
    + "g"
  private static let resourceProof =
    "eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0"
    + "ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9"
    + ".2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA"

  // RFC 9449 sections 4.1 and 7.1.
  @Test(
    "The published proofs are verified with the published key and no other",
    arguments: [
      (tokenProof, "POST", "https://server.example.com/token", nil),
      (
        resourceProof, "GET", "https://resource.example.org/protectedresource",
        "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"
      ),
    ] as [(String, String, String, String?)])
  func published(proof: String, method: String, address: String, digest: String?) throws {
    let jws = try JWS("\(Self.header).\(proof)")
    #expect(jws.type == "dpop+jwt")
    #expect(jws.algorithm == .es256)
    let header = try #require(Base64.decodeURLSafe(Self.header).map { try JSONReader.read($0) }?.object)
    let key = try #require(header["jwk"]?.object.flatMap { JWK($0) })
    let payload = try #require(try jws.payload(verifiedWith: key.key, cryptography))
    let claims = try #require(try JSONReader.read(payload).object)
    #expect(claims["htm"]?.string == method)
    #expect(claims["htu"]?.string == address)
    #expect(claims["ath"]?.string == digest)
    let other = try #require(JWK(try GnuTLSSigningKey(generating: .es256).publicKey))
    #expect(try jws.payload(verifiedWith: other.key, cryptography) == nil)
  }

  private func claims(_ proof: DPoPProof, _ key: GnuTLSSigningKey) throws -> JSONObject {
    let jws = try JWS(proof.field.value)
    #expect(jws.type == "dpop+jwt")
    let published = try #require(JWK(key.publicKey))
    let payload = try #require(try jws.payload(verifiedWith: published.key, cryptography))
    return try #require(try JSONReader.read(payload).object)
  }

  // RFC 9449 section 7.1.
  @Test("A proof for a resource has the published digest of the token and is signed with the key")
  func resource() throws {
    let key = try GnuTLSSigningKey(generating: .es256)
    let proof = try DPoPProof(
      for: "GET", at: try Endpoint("https://resource.example.org/protectedresource"),
      accessToken: AccessToken("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"), nonce: "N", key: key,
      cryptography: cryptography, at: try #require(UTCDate("2026-11-21T07:14:00Z")))
    let claims = try claims(proof, key)
    #expect(claims["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
    #expect(claims["htm"] == "GET")
    #expect(claims["htu"] == "https://resource.example.org/protectedresource")
    #expect(claims["nonce"] == "N")
  }
}
