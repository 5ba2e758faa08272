"""Maps each block of code in the documentation to the trial that checks it."""

import json

from ways import (
    TOKEN, agent, agents, alternatives, asks, c, claude_code, codex, codex_gateway, configuration, demonstration,
    denial, dev_container, elsewhere, explained, filled_in, git, granted_and_denied, helper, keyring, library,
    names_file, practice, prints_token, python, rclone, runs, sasl, secrets_file, service, session, units,
    unreachable, with_account_and_without, with_agent,
)

ANSWER = "the output of the previous block"
RECIPES = "data/doc/recipes.md"
AGENT = "data/doc/agent.md"
PROVIDERS = "data/doc/providers.md"


def in_far_side_tests(_desk, _text):
    """Tests/InteropTests/FarSideTests.swift runs the block, with a real sshd."""
    return ""


def untested(_desk, _text):
    """The block needs a program that tests do not install."""
    return ""


# The trials of the blocks below each heading, in order.
TRIALS = {
    ("README.md", "Tokentry"): [practice],
    ("README.md", "Install and try"): [demonstration],
    ("README.md", "From a shell and from Python"): [
        granted_and_denied(lambda desk, text: desk.run(text), r'"path": "api/v4/user"', r"not signed in \(status 1\)"),
        granted_and_denied(python, "signed in until 2", "not signed in: access_denied No."),
    ],
    ("README.md", "Keep a token"): [
        runs(rf'(?s)"access_token".*\n{TOKEN}.*"revoked":\["refresh_token","access_token"\]'),
    ],
    ("README.md", "Exit statuses"): [denial],
    ("README.md", "Add a provider"): [explained],
    ("README.md", "The library"): [library],
    (RECIPES, "A token for many programs"): [
        runs(rf'(?s)"access_token".*\n{TOKEN}Authorization: Bearer {TOKEN}.*"account":"work"'),
        runs(r'"sub":"ann".*\n.*"active":true', account="work"),
        runs('"forgotten":true', account="work"),
        with_account_and_without,
    ],
    (RECIPES, "Requests to an API"): [
        runs(r'(?s)"path": "api/v4/user", "method": "GET".*"method": "PUT", "type": "image/png", "bytes": 4',
             account="work"),
        runs('"path": "api/v4/user"', account="work"),
    ],
    (RECIPES, "APIs and MCP clients"): [
        runs(rf'(?s)"access_token".*\nAuthorization: Bearer {TOKEN}.*"path": "mcp/status".*"path": "mcp/status"'),
        runs(r'"resource":\{"address":"http.*"client_from":"kept"'), claude_code, codex,
    ],
    (RECIPES, "Models behind a gateway"): [
        runs('"access_token"'),
        configuration("gateway", r'[{}]|  "env": \{"ANTHROPIC_BASE_URL": "https://[\w.]+"\},|  "apiKeyHelper": ".*"',
                      r'"apiKeyHelper": "(.*)"'),
        codex_gateway,
    ],
    (RECIPES, "git"): [git],
    (RECIPES, "Helpers of other programs"): [
        runs(r'(?s)"access_token".*docker: docker, podman'),
        helper("docker-credential-tokentry", r'"credHelpers": \{"(.*)": "tokentry"\}', "get", '"Secret":"access-',
               said="{}"),
        helper("tokentry", r'index = "(.*)"\ncredential-provider = \["tokentry"', "--cargo-plugin",
               '"token":"Bearer access-',
               said='{{"v":1,"kind":"get","args":["--account","work"],"registry":{{"index-url":"{}"}}}}\n'),
        helper("bazel-credential-tokentry", r"common --credential_helper=(.*)=bazel-credential-tokentry", "get",
               '"Bearer access-', said='{{"uri":"https://{}/"}}'),
        helper("terraform-credentials-tokentry", r'credentials_helper "tokentry" (\{\})', "get app.example",
               '"token":"access-'),
        helper("tokentry", r"apiVersion: (.*)\n +command: tokentry\n +args: \[helper, kubernetes\]", "helper kubernetes",
               '"token":"ey', KUBERNETES_EXEC_INFO='{{"apiVersion":"{}","kind":"ExecCredential","spec":'
               '{{"cluster":{{"server":"https://cluster.example:6443"}}}}}}'),
        keyring,
        helper("tokentry", r'"audience": "(.*)",(?s:.*)"command": "tokentry helper google --account work"',
               "helper google --account work", '"success":true', GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE="{}",
               GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE="urn:ietf:params:oauth:token-type:id_token"),
        helper("tokentry", r"GOAUTH='tokentry (helper go)' GOPROXY=https://modules.example",
               "helper go https://app.example/demo/@v/list", "^https://app.example\n\nAuthorization: Bearer access-"),
        runs('"token":"access-.*"expiresOn":"2'), runs('"access_token":"access-.*"token_type":"Bearer","expiry":"2'),
        helper("freerdp-webview-aad-helper", r"/azure:auth-helper:.*/(freerdp-webview-aad-helper)",
               "--cmdInFd=P3 --cmdOutFd=P4 3<<<'{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\"}}' 4>&1",
               '"protocol_version":1'),
    ],
    (RECIPES, "Tokens in files"): [
        runs(r'(?s)"access_token".*\n\{"file":'), service, service, runs(),
        names_file(lambda text: json.loads(text)["credential_source"]["file"]),
        names_file(lambda text: text.split("tokenFile: ")[1].strip()), runs(r'\{"file":.*\n\{"file":'),
    ],
    (RECIPES, "VPN gateways, and logins that end in a cookie"): [unreachable, unreachable, unreachable],
    (RECIPES, "Mail"): [
        runs('"scope":"offline_access '),
        configuration("mail", r'(IMAPAccount|Host|User|AuthMechs|TLSType) [\w.@]+|PassCmd ".*"', r'PassCmd "(.*)"'),
        configuration("mail", r'(account|host|port|tls|auth|user|from) [\w.@]+|passwordeval ".*"',
                      r'passwordeval "(.*)"'),
        configuration("mail", r'set (imap|smtp)_\w+ = (".*"|[\w.@]+)', r'_command = "(.*)"'),
        *[asks("mail")] * 6, sasl,
    ],
    (RECIPES, "Files and calendars"): [runs('"access_token"'), rclone, elsewhere, asks("files")],
    (RECIPES, "Nextcloud's files, calendars and contacts"): [
        runs('"user_id":"ann"'),
        prints_token(r"bearer_token_command = (.*)", "app-password"),
        prints_token(r"password\.fetch = \[\"command\", (.*)\]", "app-password"), secrets_file,
    ],
    (RECIPES, "Programs that take a token"): [asks("work")] * 6,
    (RECIPES, "Clients that redirect to https://localhost"): [runs('"access_token"')],
    (RECIPES, "ssh and servers"): [
        session('"access_token"', TOKENTRY_HEADLESS_TEST=None),
        runs(rf'"access_token".*\n{TOKEN}', TOKENTRY_HEADLESS_TEST=None),
        runs('"access_token"', TOKENTRY_HEADLESS_TEST=None),
    ],
    (RECIPES, "Tests of your application"): [
        runs(TOKENTRY_HEADLESS_TEST=None), ANSWER, runs(status=1, TOKENTRY_HEADLESS_TEST=None), ANSWER, filled_in,
        runs('"id_token":"verified"', TOKENTRY_HEADLESS_TEST=None),
    ],
    (RECIPES, "A program in C"): [granted_and_denied(c, 'a token: .*"access-', "an error: .*access_denied")],
    (RECIPES, "Cookies, and a window in front of yours"): [alternatives],
    (RECIPES, "Providers that register clients"): [
        runs(r'"access_token".*\n.*"registered":false.*\n.*"forgotten":true'),
    ],
    (RECIPES, "Your own OAuth library"): [runs(), ANSWER],
    (AGENT, "At home"): [units, with_agent(rf'(?s)"account":"work".*\nAuthorization: Bearer {TOKEN}')],
    (AGENT, "On a server, over ssh"): [in_far_side_tests] * 4,
    (AGENT, "In a container"): [in_far_side_tests],
    (AGENT, "In a dev container"): [dev_container],
    (AGENT, "In a Flatpak"): [untested],
    (AGENT, "Without Tokentry over there"): [in_far_side_tests] * 2,
    (AGENT, "Less than everything"): [agents],
    (PROVIDERS, "Without a preset"): [runs('"access_token"')],
    (PROVIDERS, "Write a preset"): [
        runs(r'(?s)"name":"Acme".*"url":"http.*client_id=ID'),
        runs(r'(?s)"access_denied".*status 1\n.*"state_mismatch".*status 6\n.*"server_error".*status 1\n'),
        runs('"access_token"'),
    ],
}
