#!/usr/bin/python3
"""Verifies proofs of possession with joserfc, which the first run installs into a cache.

Reads a line of JSON for each request: "proof", "method", "address", "authorization" and "thumbprint" (the request's
dpop_jkt, or an empty text). Prints the number of proofs and of keys, or fails at the first proof that violates RFC 9449
section 4.2.
"""

import base64
import hashlib
import json
import pathlib
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TESTS / "tools/support"))

import packages  # pylint: disable=wrong-import-position

sys.path.insert(0, str(packages.installed(TESTS / "InteropTests" / "requirements.txt")))

from joserfc import jws  # pylint: disable=wrong-import-position
from joserfc.jwk import ECKey  # pylint: disable=wrong-import-position


def verified(request):
    """Returns the claims of a proof and the thumbprint of the key that signed it."""
    text = request["proof"].partition(".")[0]
    header = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    assert header["typ"] == "dpop+jwt" and set(header) == {"typ", "alg", "jwk"}, header
    assert set(header["jwk"]) == {"kty", "crv", "x", "y"}, header["jwk"]
    key = ECKey.import_key(header["jwk"])
    # The library ignores "typ" and "jwk" in the header, because it is given the key.
    return json.loads(jws.deserialize_compact(request["proof"], key, algorithms=["ES256"]).payload), key.thumbprint()


def check(request):
    claims, thumbprint = verified(request)
    assert claims["htm"] == request["method"] and claims["htu"] == request["address"], claims
    assert abs(claims["iat"] - time.time()) < 300, claims
    if request["thumbprint"]:
        assert request["thumbprint"] == thumbprint, thumbprint
    scheme, _, token = request["authorization"].partition(" ")
    if scheme == "DPoP":
        digest = base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).rstrip(b"=").decode()
        assert claims["ath"] == digest, claims
    else:
        assert "ath" not in claims, claims
    return claims["jti"], thumbprint


def main():
    checked = [check(json.loads(line)) for line in sys.stdin]
    assert len({identifier for identifier, _ in checked}) == len(checked), "two proofs have the same jti"
    keys = {thumbprint for _, thumbprint in checked}
    print(f"{len(checked)} proofs by {len(keys)} key{'s' if len(keys) > 1 else ''}")


if __name__ == "__main__":
    main()
