"""A provider on 127.0.0.1 that grants or denies every request, and an API for its tokens.

The paths of its endpoints are their names in the metadata (RFC 8414), such as `/token_endpoint`. Every other path is the
API.
"""

import base64
import functools
import hashlib
import html
import http.server
import itertools
import json
import ssl
import subprocess
import threading
import time
import urllib.parse

LOGIN_PAGE = """<form method="post"><input name="username"><input name="password" type="password">
<button>Sign in</button></form>"""
# OAuth 2.0 Form Post Response Mode, appendix A.
FORM_POST_PAGE = """<body onload="document.forms[0].submit()"><form method="post" action="{}">{}</form></body>"""
FIELD = """<input type="hidden" name="{}" value="{}">"""
ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "revocation_endpoint",
             "registration_endpoint", "device_authorization_endpoint", "introspection_endpoint"]


def encode(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Provider(http.server.ThreadingHTTPServer):
    """The server, its tokens, and the requests so far."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, folder, certificate=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http{'s' if certificate else ''}://127.0.0.1:{self.server_address[1]}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            # The handshake is left to the connection's own thread.
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.denies = False
        self.life = 7200  # seconds that a token is valid
        self.refreshes = 0
        self.password = None  # if set, a login page asks for it
        self.gate = threading.Event()  # authorization requests wait until it is set
        self.gate.set()
        self.requests = []
        self.grants = {}
        self.access_tokens = set()
        self.numbers = itertools.count(1)
        self.folder = folder
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """Ignores clients that have disconnected."""

    @functools.cached_property
    def key(self):
        """The key that signs id_tokens."""
        file = self.folder / "key.pem"
        command = ["openssl", "genrsa", "-out", file, "2048"]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        return file

    @property
    def metadata(self):
        return {"issuer": self.base, "response_types_supported": ["code"], "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"], "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": ["none", "client_secret_basic"],
                } | {name: f"{self.base}/{name}" for name in ENDPOINTS}

    @property
    def key_set(self):
        command = ["openssl", "rsa", "-in", self.key, "-noout", "-modulus"]
        modulus = subprocess.run(command, check=True, capture_output=True, text=True).stdout.partition("=")[2]
        return {"keys": [{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "1", "e": "AQAB",
                          "n": encode(bytes.fromhex(modulus.strip()))}]}

    def id_token(self, claims):
        signed = ".".join(encode(json.dumps(part).encode()) for part in ({"alg": "RS256", "kid": "1"}, claims))
        command = ["openssl", "dgst", "-sha256", "-sign", self.key]
        signature = subprocess.run(command, input=signed.encode(), check=True, capture_output=True).stdout
        return f"{signed}.{encode(signature)}"

    def new_token(self, grant):
        """The answer of the token endpoint. Each new token invalidates the previous one."""
        number = next(self.numbers)
        self.access_tokens = {f"access-{number}"}
        answer = {"access_token": f"access-{number}", "token_type": "Bearer", "expires_in": self.life}
        if grant:
            self.grants[f"refresh-{number}"] = grant
            answer["refresh_token"] = f"refresh-{number}"
            answer["scope"] = grant.get("scope", "")
        return answer


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status, body, kind="application/json", **fields):
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in ({"Content_Type": kind} | fields).items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(url.query))
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.requests.append((self.command, url.path, self.query))
        path = url.path.removeprefix("/tenant")  # MSAL insists on a tenant in its address
        name = {"authorize": "authorization_endpoint", "token": "token_endpoint"}.get(path.rpartition("/")[2], path[1:])
        if name in (".well-known/openid-configuration", ".well-known/oauth-authorization-server"):
            self.answer(200, self.server.metadata)
        elif name == ".well-known/oauth-protected-resource/mcp":
            self.answer(200, {"resource": f"{self.server.base}/mcp", "authorization_servers": [self.server.base]})
        elif name in ENDPOINTS:
            getattr(self, name)()
        else:
            self.api(name)

    do_POST = do_PUT = do_DELETE = do_GET

    @property
    def form(self):
        return dict(urllib.parse.parse_qsl(self.body.decode()))

    def authorization_endpoint(self):
        if self.server.password and self.form.get("password") != self.server.password:
            return self.answer(200, LOGIN_PAGE, "text/html")
        self.server.gate.wait(60)
        query = self.query
        parameters = {"state": query["state"]} if "state" in query else {}
        if self.server.denies:
            parameters |= {"error": "access_denied", "error_description": "No."}
        elif query["response_type"] == "token":
            self.server.access_tokens = {"access-0"}
            parameters |= {"access_token": "access-0", "expires_in": 86400, "user_id": 1}
        else:
            code = f"code-{next(self.server.numbers)}"
            self.server.grants[code] = query
            parameters["code"] = code
        if query.get("response_mode") == "form_post":
            fields = "".join(FIELD.format(name, html.escape(str(value))) for name, value in parameters.items())
            return self.answer(200, FORM_POST_PAGE.format(html.escape(query["redirect_uri"]), fields), "text/html")
        mark = "#" if query["response_type"] == "token" else "&" if "?" in query["redirect_uri"] else "?"
        self.answer(302, "", Location=query["redirect_uri"] + mark + urllib.parse.urlencode(parameters))

    def token_endpoint(self):
        form = self.form
        if form == {"token": "P"}:  # Nextcloud's Login Flow v2
            return self.answer(200, {"server": self.server.base, "loginName": "ann", "appPassword": "app-password"})
        match form["grant_type"]:
            case "client_credentials":
                grant = None
                if self.headers.get("Authorization") != f"Basic {base64.b64encode(b'ID:s3cret').decode()}":
                    return self.answer(401, {"error": "invalid_client"})
            case "urn:ietf:params:oauth:grant-type:device_code":
                grant = {"scope": form.get("scope", "")}
            case _:
                grant = self.server.grants.pop(form.get("code", form.get("refresh_token")), None)
                self.server.refreshes += "refresh_token" in form
                if not grant or not self.is_bound(grant):
                    return self.answer(400, {"error": "invalid_grant"})
        if self.server.denies:
            return self.answer(400, {"error": "access_denied"})
        answer = self.server.new_token(grant)
        if grant and "openid" in grant.get("scope", "") and "client_id" in grant:
            claims = {"iss": self.server.base, "aud": grant["client_id"], "sub": "ann"}
            claims |= {"nonce": grant["nonce"]} if "nonce" in grant else {}
            now = int(time.time())
            answer["id_token"] = self.server.id_token(claims | {"iat": now, "exp": now + 3600})
        self.answer(200, answer)

    def is_bound(self, grant):
        """Checks PKCE with S256 if the authorization request had a challenge (RFC 7636 section 4.6)."""
        if "code" not in self.form or "code_challenge" not in grant:
            return True
        return grant["code_challenge"] == encode(hashlib.sha256(self.form["code_verifier"].encode()).digest())

    def device_authorization_endpoint(self):
        if not self.form:
            return self.answer(200, {"poll": {"token": "P"}, "login": f"{self.server.base}/login/v2/flow"})
        self.answer(200, {"device_code": "D", "user_code": "WDJB-MJHT", "interval": 1, "expires_in": 900,
                          "verification_uri": f"{self.server.base}/login/device"})

    def registration_endpoint(self):
        self.answer(201, json.loads(self.body) | {"client_id": "registered"})

    def revocation_endpoint(self):
        self.server.access_tokens.clear()
        self.answer(200, "")

    def introspection_endpoint(self):
        self.answer(200, {"active": self.form["token"] in self.server.access_tokens})

    def jwks_uri(self):
        self.answer(200, self.server.key_set)

    def userinfo_endpoint(self):
        self.api("userinfo")

    def api(self, name):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or token not in self.server.access_tokens:
            return self.answer(401, {"error": "invalid_token"}, WWW_Authenticate='Bearer error="invalid_token"')
        kind = self.headers.get("Content-Type")
        self.answer(200, {"sub": "ann", "path": name, "method": self.command, "type": kind, "bytes": len(self.body)})
