import Foundation

/// Gateways of VPNs, written from their protocols. A user called ann signs in on a page, and each gateway hands out the
/// session ``session``.
public enum VPNGateways {
  /// The value of the session's cookie. It has characters that shells and forms treat specially.
  public static let session = "s3cr+t/\(UUID().uuidString)"

  /// The script signs in by itself; a headless test fills in the form.
  private static let page =
    "<form method=post action=/idp><input name=user><button>Go on</button></form>"
    + "<script>document.forms[0].user.value = 'ann'; document.forms[0].submit()</script>"
  private static let past = "Expires=Thu, 01 Jan 1970 00:00:00 GMT"

  private static func xml(_ text: String) -> StandInServer.Answer {
    StandInServer.Answer(200, ["Content-Type: text/xml; charset=UTF-8"], #"<?xml version="1.0"?>"# + text)
  }

  /// A FortiGate: it deletes its cookie before the login, and sets it afterwards for all of its paths.
  public static func fortinet(_ identity: TestAuthority.Identity) throws -> StandInServer {
    try StandInServer(identity: identity) { request, _ in
      switch request.path {
      case "/remote/saml/start" where request.query["realm"] == "staff & co":
        StandInServer.Answer(
          200, ["Content-Type: text/html", "Set-Cookie: SVPNCOOKIE=; path=/; \(past); secure; httponly"], page
        )
      case "/idp" where request.form["user"] == "ann":
        StandInServer.Answer(
          302,
          ["Location: /sslvpn/portal.html", "Set-Cookie: SVPNCOOKIE=\(session); path=/; secure; httponly"])
      case "/sslvpn/portal.html": .html("<p>Portal")
      default: StandInServer.Answer(403)
      }
    }
  }

  /// An ASA with SAML in the client's own window. It is reached through another name of its service. `changed` may change the
  /// addresses and documents of its answers.
  public static func anyConnect(
    _ identity: TestAuthority.Identity,
    _ changed: @escaping @Sendable (String, _ base: String) -> String = { text, _ in text }
  ) throws -> StandInServer {
    try StandInServer(identity: identity) { request, base in
      func xml(_ text: String) -> StandInServer.Answer { Self.xml(changed(text, base)) }
      return switch (request.method, request.path) {
      case ("POST", "/"): .redirect(changed(base + "/staff", base))
      case ("POST", "/staff") where request.body.contains(#"type="init""#):
        xml(
          """
          <config-auth client="vpn" type="auth-request"><opaque is-for="sg"><group>a &amp; b</group><hash>1</hash></opaque>
          <auth id="main"><message>Sign in</message><sso-v2-login>\(base)/saml?a=1&amp;b=2</sso-v2-login>
          <sso-v2-login-final>\(base)/+CSCOE+/saml_ac_login.html</sso-v2-login-final>
          <sso-v2-token-cookie-name>acSamlv2Token</sso-v2-token-cookie-name><form><input type="sso" name="sso-token"/></form>
          </auth></config-auth>
          """)
      case ("GET", "/saml") where request.query == ["a": "1", "b": "2"]: .html(page)
      case ("POST", "/idp") where request.form["user"] == "ann": .redirect("/+CSCOE+/saml_ac_login.html")
      case ("GET", "/+CSCOE+/saml_ac_login.html"):
        StandInServer.Answer(
          200, ["Content-Type: text/html", "Set-Cookie: acSamlv2Token=TOKEN; secure"], "Done")
      case ("POST", "/staff") where isReply(request.body):
        xml(
          #"<config-auth client="vpn" type="complete"><session-token>\#(session)</session-token><auth id="success"/></config-auth>"#
        )
      case ("POST", "/staff"):
        xml(
          #"<config-auth type="auth-request"><auth id="main"><error>Login failed.</error></auth></config-auth>"#
        )
      default: StandInServer.Answer(401)
      }
    }
  }

  private static func isReply(_ body: String) -> Bool {
    [
      #"type="auth-reply""#, #"<opaque is-for="sg"><group>a &amp; b</group><hash>1</hash></opaque>"#,
      "<auth><sso-token>TOKEN</sso-token></auth>",
    ].allSatisfy(body.contains)
  }

  /// A GlobalProtect gateway with SAML by a redirect, or by a form in a page.
  public static func globalProtect(
    _ identity: TestAuthority.Identity, byPost: Bool
  ) throws -> StandInServer {
    try StandInServer(identity: identity) { request, base in
      switch (request.method, request.path) {
      case ("POST", "/ssl-vpn/prelogin.esp"):
        let start =
          byPost
          ? #"<body onload="document.forms[0].submit()"><form method="POST" action="\#(base)/sso">"#
            + #"<input type="hidden" name="SAMLRequest" value="a+b="></form></body>"#
          : base + "/sso?SAMLRequest=a%2Bb%3D"
        return xml(
          """
          <prelogin-response><status>Success</status><saml-auth-method>\(byPost ? "POST" : "REDIRECT")</saml-auth-method>
          <saml-request>\(Data(start.utf8).base64EncodedString(options: .lineLength64Characters))</saml-request></prelogin-response>
          """)
      case (byPost ? "POST" : "GET", "/sso")
      where (request.form["SAMLRequest"] ?? request.query["SAMLRequest"]) == "a+b=":
        return .html(page)
      case ("POST", "/idp") where request.form["user"] == "ann": return .redirect("/SAML20/SP/ACS")
      case ("GET", "/SAML20/SP/ACS"):
        return StandInServer.Answer(
          200,
          [
            "Content-Type: text/html", "saml-auth-status: 1", "saml-username: ann@corp",
            "prelogin-cookie: PRE+/=",
          ],
          "<html><body>Login Successful!</body></html>")
      case ("POST", "/ssl-vpn/login.esp")
      where request.form["user"] == "ann@corp" && request.form["prelogin-cookie"] == "PRE+/=":
        let arguments = [
          "(null)", session, "0123", "Gateway-N", "ann", "SAML", "vsys1", "%28empty_domain%29", "(null)", "",
          "", "",
          "tunnel", "-1", "4100", "10.0.0.7", "", "", "", "4", "unknown",
        ]
        let list = arguments.map { "<argument>\($0)</argument>" }.joined()
        return xml("<jnlp><application-desc>\(list)</application-desc></jnlp>")
      default: return StandInServer.Answer(403)
      }
    }
  }
}
