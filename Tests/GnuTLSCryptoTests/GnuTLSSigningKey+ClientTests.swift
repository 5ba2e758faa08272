import Foundation
import GnuTLSCrypto
@testable import LoginCore
import Testing

@Suite("Private keys of clients")
struct ClientKeyTests {
  private let cryptography = GnuTLSCryptography()

  /// RFC 7515 appendix A.2.1, without the members that only make signing faster.
  private static let rsa: JSONObject = [
    "kty": "RSA",
    "n": .string(
      "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yR"
        + "T-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXB"
        + "dQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9ia"
        + "GNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"),
    "e": .string(
      "AQAB"),
    "d": .string(
      "Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97IjlA7_GQ5sLKMgvfTeXZx9SE-7YwVol2NXOoAJe46su"
        + "i395IW_GO-pWJ1O0BkTGoVEn2bKVRUCgu-GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzjkn439X0M_V51gfpRLI9JYanrC4D4"
        + "qAdGcopV_0ZHHzQlBjudU2QvXt4ehNYTCBr6XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl_x_jTj3ccPDVZFD9pIuhLhBOneufuBiB"
        + "4cS98l2SR_RQyGWSeWjnczT0QU91p1DhOVRuOopznQ"),
    "p": .string(
      "4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH_5IB3jw3bcxGn6QLvnEtfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw_Py5PJdTJNPY8"
        + "cQn7ouZ2KKDcmnPGBY5t7yLc1QlQ5xHdwW1VhvKn-nXqhJTBgIPgtldC-KDV5z-y2XDwGUc"),
    "q": .string(
      "uQPEfgmVtjL0Uyyx88GZFF1fOunH3-7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYsp1ZSe7zFYHj7C6ul7TjeLQeZD_YwD66t"
        + "62wDmpe_HlB-TnBA-njbglfIsRLtXlnDzQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdc"),
  ]

  /// RFC 7515 appendix A.3.1.
  private static let ec: JSONObject = [
    "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0", "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
  ]

  /// RFC 8037 appendix A.1.
  private static let ed25519: JSONObject = [
    "kty": "OKP", "crv": "Ed25519", "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
    "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  ]

  private func key(_ text: String) throws -> any SigningKey { try #require(try cryptography.clientKey(text)) }

  @Test("Signatures without random parts are those of RFC 7515 appendix A.2 and RFC 8037 appendix A.4")
  func vectors() throws {
    let text: String = [
      "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    ].joined()
    let signature: String = [
      "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9",
      "uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB",
      "_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rq",
      "Vt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
    ].joined()
    let payload = try #require(Base64.decodeURLSafe(text))
    let signed = try JWS.sign(payload, with: try key(Self.rsa.text))
    #expect(signed.parts(at: ".").last == signature)
    let example = try JWS.sign("Example of Ed25519 signing".utf8, with: try key(Self.ed25519.text))
    #expect(example.hasPrefix("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."))
    #expect(
      example.hasSuffix(
        ".hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"))
  }

  @Test("A JWK signs with the algorithm that it names, which has to fit, or else with the usual one")
  func algorithms() throws {
    for (jwk, name, used) in [
      (Self.rsa, nil, .rs256), (Self.rsa, "PS256", .ps256), (Self.rsa, "RS512", .rs512),
      (Self.ec, nil, .es256), (Self.ec, "ES256", .es256), (Self.ed25519, "EdDSA", .edDSA),
    ] as [(JSONObject, String?, SignatureAlgorithm)] {
      var jwk = jwk
      jwk["alg"] = name.map(JSONValue.string)
      let key = try key(jwk.text)
      #expect(key.algorithm == used)
      let verifier = try #require(JWK(key.publicKey))
      let jws = try JWS(try JWS.sign("x".utf8, with: key))
      #expect(try jws.payload(verifiedWith: verifier.key, cryptography) == Array("x".utf8))
    }
    for (jwk, name) in [(Self.rsa, "ES256"), (Self.ec, "ES384"), (Self.ec, "RS256"), (Self.rsa, "HS256")] {
      var jwk = jwk
      jwk["alg"] = .string(name)
      #expect(try cryptography.clientKey(jwk.text) == nil, "\(name)")
    }
  }

  @Test("A text without a whole private key is refused", arguments: ["x", "y", "d", "crv", "kty"])
  func damaged(member: String) throws {
    var jwk = Self.ec
    jwk[member] = member == "x" ? Self.ec["y"] : nil
    #expect(try cryptography.clientKey(jwk.text) == nil)
    for text in ["", "{}", "secret", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
      #expect(try cryptography.clientKey(text) == nil)
    }
  }

  @Test("Keys of openssl are read in PEM, in PKCS #8 and the older forms, but not weak or encrypted ones")
  func pem() throws {
    let openssl = Process()
    let output = Pipe()
    openssl.executableURL = URL(filePath: "/bin/sh")
    openssl.arguments = [
      "-ec",
      """
      openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256
      openssl ecparam -name secp384r1 -genkey -noout
      openssl genpkey -quiet -algorithm ed25519
      openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048
      openssl genrsa -traditional 2048
      openssl genpkey -quiet -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048
      openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:1024
      openssl genpkey -quiet -algorithm ed25519 -aes256 -pass pass:secret
      """,
    ]
    openssl.standardOutput = output
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    let made = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    openssl.waitUntilExit()
    let texts = made.components(separatedBy: "-----BEGIN").dropFirst().map { "-----BEGIN" + $0 }
    let algorithms = try texts.map { try cryptography.clientKey($0)?.algorithm }
    #expect(algorithms == [.es256, .es384, .edDSA, .rs256, .rs256, .ps256, nil, nil])
  }
}
