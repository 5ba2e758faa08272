"""Sets up a new glewlwyd: an issuer for each signature algorithm, one that demands PKCE, some with pushed requests or
DPoP, one for clients without a user and one with short-lived tokens; a client, two users, and for each issuer another
user who has not granted any scope yet."""

import json
import urllib.error
import urllib.request

# OpenID Connect Core section 10.1: HS256 uses the client's secret. In glewlwyd, an issuer has one for all clients.
CLIENT_SECRET = "a-secret-of-both-with-0123456789"
SCOPES = ["openid", "profile"]

COMMON = {
    "jwt-key-size": "256", "subject-type": "public", "allow-non-oidc": False, "oauth-as-iss-id": True,
    "access-token-duration": 3600, "refresh-token-duration": 86400, "code-duration": 600,
    "refresh-token-rolling": True, "refresh-token-one-use": "always",
    "auth-type-code-enabled": True, "auth-type-code-revoke-replayed": True, "auth-type-refresh-enabled": True,
    "auth-type-token-enabled": False, "auth-type-id-token-enabled": False, "auth-type-none-enabled": False,
    "auth-type-password-enabled": False, "auth-type-client-enabled": False, "auth-type-device-enabled": True,
    "device-authorization-expiration": 600, "device-authorization-interval": 3,
    "scope": [], "additional-parameters": [], "claims": [], "service-documentation": "", "op-policy-uri": "",
    "op-tos-uri": "", "jwks-show": True, "jwks-x5c": [], "request-parameter-allow": False,
    "introspection-revocation-allowed": True, "introspection-revocation-auth-scope": [],
    "introspection-revocation-allow-target-client": True, "register-client-allowed": False, "session-management-allowed": False,
    "pkce-allowed": True, "pkce-method-plain-allowed": False, "pkce-required": False, "pkce-scopes": [],
}

# RFC 9126 and RFC 9449.
PUSHED = {"oauth-par-allowed": True, "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:", "oauth-par-duration": 90}
PROVEN = {"oauth-dpop-allowed": True, "oauth-dpop-iat-duration": 600, "oauth-dpop-iat-gap-duration": 60,
          "oauth-dpop-nonce-mandatory": False}


def issuers(folder):
    """The name of each issuer with its special settings."""
    keys = {name: {kind: (folder / f"{name}.{end}").read_text() for kind, end in (("key", "key"), ("cert", "pub"))}
            for name in ("rsa", "ec")}
    rsa = {"jwt-type": "rsa", **keys["rsa"]}
    return {
        "oidc": rsa,
        "es": {"jwt-type": "ecdsa", **keys["ec"]},
        "hs": {"jwt-type": "sha", "key": CLIENT_SECRET, "jwks-show": False},
        "ps": {"jwt-type": "rsa-pss", **keys["rsa"]},
        "strict": {**rsa, "pkce-required": True},
        "par": {**rsa, **PUSHED, "oauth-par-required": True},
        "dpop": {**rsa, **PUSHED, **PROVEN},
        "dpopnonce": {**rsa, **PROVEN, "oauth-dpop-nonce-mandatory": True, "oauth-dpop-nonce-counter": 5},
        "machine": {**rsa, "auth-type-client-enabled": True, "allow-non-oidc": True},
        "short": {**rsa, "access-token-duration": 3, "refresh-token-one-use": "never", "oauth-as-iss-id": False},
    }


def configure(api, external, folder):
    cookie = None

    def send(path, value):
        nonlocal cookie
        headers = {"Content-Type": "application/json", **({"Cookie": cookie} if cookie else {})}
        request = urllib.request.Request(api + path, json.dumps(value).encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                cookie = cookie or response.headers["Set-Cookie"].split(";")[0]
        except urllib.error.HTTPError as error:
            raise SystemExit(f"glewlwyd refuses {path}: {error.code} {error.read().decode()}") from error

    send("/auth/", {"username": "admin", "password": "password"})
    send("/scope/", {"name": "profile", "display_name": "Profile", "password_required": True, "scheme": {}})
    for name, own in issuers(folder).items():
        parameters = {**COMMON, **own, "name": name, "iss": f"{external}/api/{name}"}
        send("/mod/plugin/", {"module": "oidc", "name": name, "display_name": name, "enabled": True, "parameters": parameters})
    for name in ("anna", *issuers(folder)):
        send("/user/", {"username": name, "name": name.title(), "password": "Pass-word1", "enabled": True, "scope": SCOPES})
    send("/client/", {
        "client_id": "me", "name": "Mail", "enabled": True, "confidential": True, "client_secret": CLIENT_SECRET,
        "redirect_uri": ["https://app.example/done"], "scope": SCOPES,
        "authorization_type": ["code", "refresh_token", "device_authorization", "client_credentials"],
        "token_endpoint_auth_method": ["client_secret_basic"],
    })
