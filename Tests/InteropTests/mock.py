#!/usr/bin/python3
"""Runs oidc-provider-mock on a free port of 127.0.0.1; the first run installs it into a cache.

Prints {"base": ADDRESS}. Ends when its standard input does. It has one user, anna, and asks for no password; it takes
any client.
"""

import json
import os
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import packages

REQUIREMENTS = pathlib.Path(__file__).with_name("requirements.txt")


def application():
    """The server, whose pages ask for a style sheet of a server elsewhere: a test stays on this machine. A headless test
    presses buttons by their names, and the one that ends a session has none."""
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
