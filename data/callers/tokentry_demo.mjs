// A provider for the tests of programs that sign users in: `tokentry demo --serve`, which misbehaves when a test says so.
// Install this folder with npm, or copy the file beside your tests; it needs only Node 18.
//
//   import { startDemo } from "tokentry/demo";
//
//   test("a lost answer", async (t) => {
//     const demo = await startDemo(t, ["--user", "ada"]); // ends with the test
//     const login = await signIn(demo.issuer, demo.clientID);
//     await demo.faults("refresh-lost=1"); // `tokentry demo --faults` lists them
//     await refresh(login); // the answer does not arrive
//     await refresh(login); // the refresh token was used: the user has to sign in again
//     assert.equal((await demo.log()).sign_ins, 2);
//   });
//
// Without a test (null) the caller closes it. The provider signs `ada` in without a page, unless it has other options.
// Programs that start Tokentry need TOKENTRY_HEADLESS_TEST=1 and, if they keep accounts, TOKENTRY_STORE=file:FOLDER.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export const settings = { program: "tokentry" };

export async function startDemo(test, options = ["--user", "ada"]) {
  // The provider ends with its standard input, and so with this process.
  const stdio = ["pipe", "pipe", "inherit"];
  const child = spawn(settings.program, ["demo", "--serve", "--port", "0", ...options], { stdio });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const close = () => (child.stdin.end(), ended);
  test?.after(close);
  const answer = await new Promise((resolve, reject) => {
    child.on("error", reject);
    createInterface({ input: child.stdout }).once("line", resolve).once("close", () => resolve("{}"));
  }).then(JSON.parse);
  if (!answer.issuer) throw new Error(answer.error_description ?? "tokentry demo did not start");
  const send = async (path, form) => {
    const request = form && { method: "POST", body: new URLSearchParams(form), redirect: "manual" };
    const response = await fetch(answer.issuer + path, request);
    if (response.status >= 400) throw new Error(`${path}: HTTP ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    issuer: answer.issuer,
    clientID: answer.client_id,
    clientSecret: answer.client_secret,
    /** Switches these faults on, such as "denied" or "token-500=2", and all others off. */
    faults: (...names) => send("/faults", Object.fromEntries(names.map((name) => [...name.split("="), "on"].slice(0, 2)))),
    /** Changes settings, such as { token_life: 10 } (tokentry-demo(1)). */
    change: (form) => send("/", form),
    /** The requests that the provider has seen, and the numbers of sign_ins, refreshes and reuses. */
    log: async () => (await send("/log")).json(),
    /** Forgets all tokens and the log, and behaves as at the start. */
    reset: () => send("/reset", {}),
    close,
  };
}
