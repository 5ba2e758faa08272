// A Node program that signs its user in. Ctrl+C cancels the login and closes its window.

import { tokentry } from "./tokentry.mjs";

const options = Object.fromEntries(process.argv.slice(2).map((word) => word.split(/=(.*)/s).slice(0, 2)));
const controller = new AbortController();
process.once("SIGINT", () => controller.abort());

try {
  const token = await tokentry("login", options, { signal: controller.signal });
  console.log("signed in until", token.expires_at ?? "further notice");
} catch (failure) {
  console.error(failure.isCancelled ? "cancelled" : `not signed in: ${failure.message}`);
  process.exitCode = 1;
}
