import Foundation
import TestSupport
import Testing

/// Coding agents whose models are behind a company's gateway, set up as the recipes say. The gateway takes tokens only.
@Suite(
  "Coding agents and a command for their token", .blocking,
  .enabled(if: Rows.areAll, "the programs have 400 MB, so only Tests/run.sh --all fetches them"))
struct CodingAgentTests {
  private static let claude = """
    export ANTHROPIC_BASE_URL="http://$HOST" CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 CLAUDE_CODE_MAX_RETRIES=0
    mkdir -p .claude
    printf '{"apiKeyHelper": "tokentry token --account work --output token --silent"}' >.claude/settings.json
    "$PROGRAMS/claude_agent_sdk/_bundled/claude" --print hello --tools "" </dev/null
    """

  private static let codex = """
    mkdir -p .codex
    cat >.codex/config.toml <<EOF
    model = "m"
    model_provider = "corp"
    [model_providers.corp]
    name = "Corp"
    base_url = "http://$HOST/v1"
    wire_api = "responses"
    request_max_retries = 0
    stream_max_retries = 0
    [model_providers.corp.auth]
    command = "tokentry"
    args = ["token", "--account", "work", "--output", "token", "--silent"]
    timeout_ms = 10000
    EOF
    "$PROGRAMS/codex_cli_bin/bin/codex" exec --skip-git-repo-check --sandbox read-only hello </dev/null
    """

  /// The same for a program that can run no command: it takes the token in a variable.
  private static let throughGate = """
    export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 CLAUDE_CODE_MAX_RETRIES=0
    tokentry gate "http://$HOST/v1" --account work --allow-origin "http://$HOST" --silent --port 0 -- sh -c '
      export ANTHROPIC_BASE_URL=${TOKENTRY_GATE_URL%/v1}
      ANTHROPIC_AUTH_TOKEN=$(cat "$TOKENTRY_GATE_BEARER_FILE") \
        exec "$PROGRAMS/claude_agent_sdk/_bundled/claude" --print hello --tools ""' </dev/null
    """

  private func run(_ script: String, for clients: ForeignClients) throws -> Outcome {
    let programs = try ForeignClients.programs("coding-agents.txt")
    let run = try clients.shell(script, ["PROGRAMS": programs])
    #expect(!(run.output + run.messages).contains("ACCESSTOKEN"), "\(run)")
    return run
  }

  @Test(
    "The gateway gets the account's token, refreshed if necessary",
    arguments: [
      (claude, "POST /v1/messages Bearer"), (codex, "POST /v1/responses Bearer"),
      (throughGate, "POST /v1/messages Bearer"),
    ])
  func answered(script: String, request: String) throws {
    let clients = try ForeignClients(life: 30)
    try clients.services.accept("ACCESSTOKEN-2")
    let run = try run(script, for: clients)
    #expect(run.status == 0 && run.output.contains("bonjour"), "\(run)\(clients.log)")
    #expect(clients.services.log.contains(request), "\(clients.services.log)")
  }

  @Test("If the user has to sign in, the agent's user reads that", arguments: [claude, codex])
  func needsSignIn(script: String) throws {
    let clients = try ForeignClients(life: 30)
    clients.services.refuseRefresh()
    let run = try run(script, for: clients)
    #expect(run.status != 0, "\(run)")
    #expect((run.output + run.messages).contains("the account work needs a new sign-in"), "\(run)")
    #expect(clients.services.provider.hits("/a") == 0)
  }
}
