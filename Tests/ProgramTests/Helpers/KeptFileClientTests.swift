import Foundation
import TestSupport
import Testing

/// Programs of other people that read a token from a file, set up as in data/doc/recipes.md.
@Suite("Real programs and a kept file", .blocking)
struct KeptFileClientTests {
  /// The token service of AWS. It gives credentials for a role to whoever brings the right id_token.
  private static func tokenService() throws -> StandInServer {
    try StandInServer { request, _ in
      let isGood = request.form["WebIdentityToken"] == "IACCESSTOKEN-1"
      switch request.form["Action"] {
      case "AssumeRoleWithWebIdentity" where isGood:
        return xml(
          """
          <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
          <AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>ASIAEXAMPLE</AccessKeyId>
          <SecretAccessKey>secret</SecretAccessKey><SessionToken>session</SessionToken>
          <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult>
          </AssumeRoleWithWebIdentityResponse>
          """)
      case "GetCallerIdentity" where request.headers["authorization"]?.contains("ASIAEXAMPLE") == true:
        return xml(
          """
          <GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
          <Arn>arn:aws:sts::1:assumed-role/reader/me</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>
          """)
      default: return StandInServer.Answer(403)
      }
    }
  }

  private static func xml(_ text: String) -> StandInServer.Answer {
    StandInServer.Answer(200, ["Content-Type: text/xml"], text)
  }

  @Test("The AWS command line, Google's library, kubectl, curl and GDAL read their files")
  func read() throws {
    let clients = try ForeignClients()
    let service = try Self.tokenService()
    let programs = try ForeignClients.programs()
    let run = try clients.shell(
      KubernetesClientTests.cluster + """
        for format in id_token token header; do
          tokentry keep --account work --file "$PWD/$format" --output $format --once >/dev/null
        done

        export AWS_ROLE_ARN=arn:aws:iam::123456789012:role/reader AWS_DEFAULT_REGION=eu-central-1
        AWS_WEB_IDENTITY_TOKEN_FILE=$PWD/id_token PYTHONPATH=\(programs) \
          /usr/bin/python3 \(programs)/bin/aws sts get-caller-identity --query Arn --output text
        cat >aws <<EOF
        [profile reader]
        credential_process = tokentry helper aws $AWS_ROLE_ARN --account work
        EOF
        AWS_CONFIG_FILE=aws AWS_ENDPOINT_URL_STS=$AWS_ENDPOINT_URL PYTHONPATH=\(programs) \
          /usr/bin/python3 \(programs)/bin/aws --profile reader sts get-caller-identity --query Arn --output text

        cat >exchange.py <<'EOF'
        import json, sys, urllib3
        from google.auth import identity_pool
        from google.auth.transport import urllib3 as transport
        credentials = identity_pool.Credentials.from_info(json.load(sys.stdin))
        credentials.refresh(transport.Request(urllib3.PoolManager()))
        print(credentials.token)
        EOF
        PYTHONPATH=\(programs) /usr/bin/python3 exchange.py <<EOF
        {"type": "external_account", "token_url": "http://$HOST/exchange",
         "audience": "//iam.googleapis.com/locations/global/workforcePools/p/providers/q",
         "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
         "credential_source": {"file": "$PWD/id_token"}}
        EOF

        SETUP="users: [{name: me, user: {tokenFile: $PWD/id_token}}]"
        kubeconfig >kubeconfig
        pods kubeconfig | cut -c 1-17
        echo

        curl --silent --header @header "http://$HOST/api/curl"
        curl --silent --oauth2-bearer "$(cat token)" "http://$HOST/api/bearer"
        if command -v gdalinfo >/dev/null; then
          GDAL_HTTP_HEADER_FILE=$PWD/header gdalinfo "/vsicurl/http://$HOST/api/map.tif" >/dev/null 2>&1 || true
        fi
        """, ["TOKENTRY_HEADLESS_TEST": "1", "SETUP": "", "AWS_ENDPOINT_URL": service.base])
    #expect(
      run.output.split(separator: "\n") == [
        "arn:aws:sts::1:assumed-role/reader/me", "arn:aws:sts::1:assumed-role/reader/me", "google",
        "{\"kind\":\"PodList\"", "GET 0 - -", "GET 0 - -",
      ], "\(run)\(clients.log)")
    let log = clients.services.log
    #expect(log.contains("GET /api/curl Bearer") && log.contains("GET /api/bearer Bearer"))
    if FileManager.default.fileExists(atPath: "/usr/bin/gdalinfo") {
      #expect(log.contains { $0.hasSuffix(" /api/map.tif Bearer") }, "\(log)")
    }
  }
}
