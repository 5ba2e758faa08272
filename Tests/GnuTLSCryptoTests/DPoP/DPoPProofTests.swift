import GnuTLSCrypto
import Testing

@testable import LoginCore

@Suite("Proofs of possession")
struct DPoPProofTests {
  private let cryptography = GnuTLSCryptography()

  // RFC 7638 section 3.1.
  @Test("an RSA key has the thumbprint of the standard, whatever else is said of it")
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
  @Test("the key of RFC 9449's examples has the thumbprint that is given there")
  func ecThumbprint() throws {
    let key: JSONObject = [
      "kty": "EC", "x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
      "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA", "crv": "P-256",
    ]
    let thumbprint = try Thumbprint.text(of: key, cryptography)
    #expect(thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
  }

  @Test("a key of an unknown kind has none")
  func unknownKind() throws {
    #expect(try Thumbprint.text(of: ["kty": "oct", "k": "AA"], cryptography) == nil)
  }

  private func claims(_ proof: DPoPProof, _ key: GnuTLSSigningKey) throws -> JSONObject {
    let jws = try JWS(proof.field.value)
    #expect(jws.type == "dpop+jwt")
    let published = try #require(JWK(key.publicKey))
    let payload = try #require(try jws.payload(verifiedWith: published.key, cryptography))
    return try #require(try JSONReader.read(payload).object)
  }

  // RFC 9449 section 7.1.
  @Test("a proof for a resource carries the digest of the token of RFC 9449, and its signature is the key's")
  func resource() throws {
    let key = try GnuTLSSigningKey(generating: .es256)
    let request = HTTPRequest(get: try Endpoint("https://resource.example.org/protectedresource"))
    let proof = try DPoPProof(
      for: request, accessToken: AccessToken("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"), nonce: "N",
      key: key,
      cryptography: cryptography, at: try #require(UTCDate("2026-11-21T07:14:00Z")))
    let claims = try claims(proof, key)
    #expect(claims["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
    #expect(claims["htm"] == "GET")
    #expect(claims["htu"] == "https://resource.example.org/protectedresource")
    #expect(claims["nonce"] == "N")
  }
}
