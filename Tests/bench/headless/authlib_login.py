#!/usr/bin/python3
"""A login at the demo provider, written as an application with Authlib would do it.

usage: authlib_login.py ISSUER

Discovery, a code with PKCE, the two forms, the exchange, and verification of the id_token. Prints its subject.
"""

import os
import re
import sys
import urllib.parse

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # plain HTTP is for this machine only

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import KeySet

REDIRECT = "https://demo.example/callback"
CLIENT = "tokentry-demo"


def callback(url):
    """Signs in, allows access, and returns the callback."""
    with requests.Session() as browser:
        page = browser.get(url)
        interaction = re.search(r'name="interaction" value="([^"]+)"', page.text).group(1)
        base = page.url.rpartition("/")[0]
        form = {"interaction": interaction, "username": "ada", "password": "demo"}
        browser.post(f"{base}/login", data=form).raise_for_status()
        form = {"interaction": interaction, "decision": "allow"}
        answer = browser.post(f"{base}/consent", data=form, allow_redirects=False)
        return answer.headers["Location"]


def main():
    issuer = sys.argv[1]
    metadata = requests.get(f"{issuer}/.well-known/openid-configuration").json()
    client = OAuth2Session(
        CLIENT,
        redirect_uri=REDIRECT,
        scope="openid profile",
        code_challenge_method="S256",
        token_endpoint_auth_method="none",
    )
    verifier, nonce = generate_token(48), generate_token(20)
    url, state = client.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce
    )
    answer = callback(url)
    if urllib.parse.parse_qs(urllib.parse.urlsplit(answer).query)["iss"] != [issuer]:
        sys.exit("another issuer")
    token = client.fetch_token(
        metadata["token_endpoint"], authorization_response=answer, code_verifier=verifier, state=state
    )
    keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    decoded = jwt.decode(token["id_token"], keys, algorithms=metadata["id_token_signing_alg_values_supported"])
    claims = CodeIDToken(
        decoded.claims,
        decoded.header,
        options={"iss": {"values": [issuer]}},
        params={"nonce": nonce, "client_id": CLIENT, "access_token": token["access_token"]},
    )
    claims.validate(leeway=120)
    print(claims["sub"])


if __name__ == "__main__":
    main()
