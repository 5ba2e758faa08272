// Signs users in with Tokentry. Install this folder with npm, or copy the file into your application; it needs only
// Node 18.
//
//   const token = await tokentry("login", { provider: "gitlab", client_id: "ID" }, { signal })
//   const answer = await tokentry("accounts", ["--store", "file:tokens"])
//
// The options are Tokentry's with underscores (tokentry(1), DOCUMENT OF OPTIONS). They are sent through a pipe, so they may
// include secrets. An array holds words of the command line instead. Returns what Tokentry printed, or throws a Failure.
// The signal of an AbortController cancels the login and closes its window.

import { spawn } from "node:child_process";

export const settings = { program: "tokentry" };

/** The reason why there is no token. The message is for people, the other members are for programs. */
export class Failure extends Error {
  constructor(status, { error, error_description, origin, retryable, details = {} }) {
    super(error_description);
    Object.assign(this, { name: "Failure", status, error, origin, retryable, details });
  }

  /** True if the user cancelled, which needs no message. */
  get isCancelled() {
    return this.error === "cancelled";
  }
}

export function tokentry(command, options, { signal, activationToken } = {}) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const env = { ...process.env };
    if (activationToken) env.XDG_ACTIVATION_TOKEN = activationToken;
    const words = Array.isArray(options) ? options : ["--options", "-"];
    const child = spawn(settings.program, [command, ...words], { env, stdio: ["pipe", "pipe", "inherit"] });
    const cancel = () => child.kill("SIGTERM");
    signal?.addEventListener("abort", cancel, { once: true });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    // Tokentry may end before it has read everything, and then reports the reason.
    child.stdin.on("error", () => {}).end(Array.isArray(options) ? "" : JSON.stringify(options));
    child.on("error", (error) => reject(problem(7, "not_installed", `Tokentry cannot be started: ${error.message}`)));
    child.on("close", (status) => {
      signal?.removeEventListener("abort", cancel);
      try {
        const answer = JSON.parse(output);
        if (status === 0) resolve(answer);
        else reject(new Failure(status, answer));
      } catch {
        reject(problem(70, "internal_error", "Tokentry was ended before it could answer"));
      }
    });
  });
}

function problem(status, error, error_description) {
  return new Failure(status, { error, error_description, origin: "tokentry", retryable: false });
}
