#!/usr/bin/python3
"""Runs oidc-provider-mock on a free port of 127.0.0.1; the first run installs it into a cache.

Prints {"base": ADDRESS} and ends with its standard input. It has one user, anna, without a password, and accepts any
client.
"""

import json
import os
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools/support"))

import packages

REQUIREMENTS = pathlib.Path(__file__).with_name("requirements.txt")


def application():
    """The server with two changes: its pages must not load their style sheet from the network, and the button that ends a
    session gets a name, because a headless test presses buttons by name."""
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # plain HTTP is for this machine only
    import flask  # pylint: disable=import-outside-toplevel
    import oidc_provider_mock  # pylint: disable=import-outside-toplevel

    app = oidc_provider_mock.app(user_claims=[oidc_provider_mock.User(sub="anna")])

    @app.after_request
    def stay(response):
        response.headers["Content-Security-Policy"] = "style-src 'unsafe-inline'"
        if flask.request.path == "/oauth2/end_session":
            response.set_data(response.get_data().replace(b"<button ", b'<button name="end" '))
        return response

    return app


def main():
    sys.path.insert(0, str(packages.installed(REQUIREMENTS)))
    import werkzeug.serving  # pylint: disable=import-outside-toplevel

    server = werkzeug.serving.make_server("127.0.0.1", 0, application(), threaded=True)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"base": f"http://127.0.0.1:{server.server_port}"}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
