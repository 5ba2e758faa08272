#!/usr/bin/python3
"""The MCP SDK from PyPI: a server with an authorization server, and a client.

usage: mcp_sdk.py                  runs the server on a free port of 127.0.0.1, prints {"base": ADDRESS} and ends with
                                   its standard input; the first run installs the SDK into a cache
       mcp_sdk.py tools URL JSON [SOCKET]
                                   prints the tools that a client lists which sends the header fields in JSON, perhaps
                                   through a socket
       mcp_sdk.py sign-in URL      signs in at the server of an API with a browser, and prints the token

The authorization server shows no page and signs the user in at once. GET /log tells how often each of its endpoints was
called, and POST /forget makes it forget the access tokens.
"""

import asyncio
import collections
import http.server
import json
import pathlib
import secrets
import socket
import sys
import threading
import time
import urllib.parse
import warnings
import webbrowser

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools/support"))

import packages

sys.path.insert(0, str(packages.installed(pathlib.Path(__file__).with_name("mcp_sdk.txt"))))
warnings.simplefilter("ignore")

import httpx2
import uvicorn
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.session import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.server.auth import provider as auth
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientMetadata, OAuthToken
from starlette.responses import JSONResponse


class Authority:
    """Clients, codes and tokens in memory."""

    def __init__(self):
        self.clients, self.codes, self.tokens, self.renewals = {}, {}, {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client_info):
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client, params):
        code = secrets.token_urlsafe(32)
        self.codes[code] = auth.AuthorizationCode(
            code=code, scopes=params.scopes or [], expires_at=time.time() + 60, client_id=client.client_id,
            code_challenge=params.code_challenge, redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly, resource=params.resource)
        return auth.construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state)

    async def load_authorization_code(self, _client, authorization_code):
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client, authorization_code):
        del self.codes[authorization_code.code]
        return self.issue(client, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(self, _client, refresh_token):
        return self.renewals.get(refresh_token)

    async def exchange_refresh_token(self, client, refresh_token, scopes):
        del self.renewals[refresh_token.token]
        return self.issue(client, scopes, refresh_token.resource)

    async def load_access_token(self, token):
        return self.tokens.get(token)

    async def revoke_token(self, token):
        self.tokens.pop(token.token, None)
        self.renewals.pop(token.token, None)

    def issue(self, client, scopes, resource):
        token, renewal = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        known = {"client_id": client.client_id, "scopes": scopes, "resource": resource}
        self.tokens[token] = auth.AccessToken(token=token, expires_at=int(time.time()) + 3600, **known)
        self.renewals[renewal] = auth.RefreshToken(token=renewal, **known)
        return OAuthToken(access_token=token, expires_in=3600, scope=" ".join(scopes), refresh_token=renewal)


def application(base):
    """The server, with a count of its requests."""
    options = ClientRegistrationOptions(enabled=True, valid_scopes=["mcp:tools"], default_scopes=["mcp:tools"])
    settings = AuthSettings(
        issuer_url=base, resource_server_url=base + "/mcp", validate_token_resource=True,
        required_scopes=["mcp:tools"], client_registration_options=options,
        revocation_options=RevocationOptions(enabled=True))
    authority = Authority()
    server = MCPServer("test", auth_server_provider=authority, auth=settings, log_level="ERROR")

    @server.tool()
    def add(first: int, second: int) -> int:
        return first + second

    app = server.streamable_http_app(json_response=True, stateless_http=True)
    asked = collections.Counter()

    async def counted(scope, receive, send):
        if scope["type"] == "http":
            if scope["path"] == "/log":
                return await JSONResponse(asked)(scope, receive, send)
            if scope["path"] == "/forget":
                authority.tokens.clear()
                return await JSONResponse({})(scope, receive, send)
            asked[scope["path"]] += 1
        return await app(scope, receive, send)

    return counted


def serve():
    listener = socket.create_server(("127.0.0.1", 0))
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(application(base), log_level="error", lifespan="on"))
    threading.Thread(target=server.run, args=([listener],), daemon=True).start()
    while not server.started:
        time.sleep(0.02)
    print(json.dumps({"base": base}), flush=True)
    sys.stdin.read()


def http_client(headers, path):
    if path is None:
        return create_mcp_http_client(headers=headers)
    return httpx2.AsyncClient(transport=httpx2.AsyncHTTPTransport(uds=path), headers=headers)


async def tools(url, headers, path=None):
    async with http_client(headers, path) as http:
        async with streamable_http_client(url, http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                return [tool.name for tool in (await session.list_tools()).tools]


class Memory:
    """Keeps what the client's login gets."""

    def __init__(self):
        self.client, self.token = None, None

    async def get_tokens(self):
        return self.token

    async def set_tokens(self, tokens):
        self.token = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


async def sign_in(url):
    """Signs in as the SDK's example of a client does, with a browser and a server for the answer."""
    answers, memory = [], Memory()

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            answers.append(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query)))
            self.send_response(200)
            self.end_headers()

    server = http.server.HTTPServer(("localhost", 0), Handler)

    async def redirect(address):
        webbrowser.open(address)

    async def callback():
        await asyncio.to_thread(server.handle_request)
        return AuthorizationCodeResult(code=answers[0]["code"], state=answers[0]["state"])

    metadata = OAuthClientMetadata(redirect_uris=[f"http://localhost:{server.server_port}/callback"])
    login = OAuthClientProvider(url, metadata, memory, redirect, callback)
    async with create_mcp_http_client(auth=login) as client:
        (await client.get(url)).raise_for_status()
    return memory.token.access_token


if __name__ == "__main__":
    if sys.argv[1:2] == ["tools"]:
        print(json.dumps(asyncio.run(tools(sys.argv[2], json.loads(sys.argv[3]), *sys.argv[4:]))))
    elif sys.argv[1:2] == ["sign-in"]:
        print(asyncio.run(sign_in(sys.argv[2])))
    else:
        serve()
