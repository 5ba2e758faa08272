// A Node program that signs its user in. Ctrl+C cancels the login and closes its window. The arguments are those of
// tokentry login.

import { tokentry } from "./tokentry.mjs";

const controller = new AbortController();
process.once("SIGINT", () => controller.abort());

try {
  const token = await tokentry("login", process.argv.slice(2), { signal: controller.signal });
  console.log("signed in until", token.expires_at ?? "further notice");
} catch (failure) {
  console.error(failure.isCancelled ? "cancelled" : `not signed in: ${failure.message}`);
  process.exitCode = 1;
}
