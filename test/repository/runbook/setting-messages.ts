import { check } from "../../../provider/hooks/check.js";
import { readTokenFile } from "../../../provider/settings/token-setting.js";
import type { Messages } from "../../runbook-page.js";
import { destroyed, ID, Night, type NightOptions } from "./night.js";

/** What the runbook quotes about settings. */
export const SETTING_MESSAGES: Messages = {
  "The token is missing": [() => withToken({})],
  "The token is empty, or not the token alone": [
    () => withToken({ KONNECT_SPAT: "" }),
    () => withToken({ KONNECT_SPAT: "Bearer spat_ofTheRunbook0123456789" }),
    () => withToken({ KONNECT_SPAT: "spat_“ofTheRunbook”" }),
  ],
  "The token file": [
    () => withToken({ KONNECT_TOKEN_FILE: "/no/such/file" }),
    () => withToken({ KONNECT_TOKEN_FILE: "" }),
  ],
  "A limit is not a number": [() => destroyed([], { env: { KONNECT_MAX_ATTEMPTS: "many" } })],
  "KONNECT_FORCE_DELETE is neither 0 nor 1": [() => destroyed([], { env: { KONNECT_FORCE_DELETE: "yes" } })],
  "The address is missing or malformed": [
    () => refusals({}),
    () => refusals({ env: { KONNECT_REGION: "EU" } }),
    () => refusals({ env: { KONNECT_SERVER_URL: "http://konnect.example" } }),
    () => refusals({}, { region: "eu-west-1" }),
  ],
};

function withToken(env: Readonly<Record<string, string>>): Promise<string> {
  // An undefined variable is one that is not set.
  const unset = { KONNECT_SPAT: undefined } as unknown as Readonly<Record<string, string>>;
  return destroyed([], { env: { ...unset, ...env }, readTokenFile });
}

/** Returns what a preview says is wrong. Pulumi puts the name of the resource before it. */
function refusals(options: NightOptions, args: object = {}): string {
  const { failures } = check(new Night([], options).context, { controlPlaneId: ID, ...args });
  return failures
    .map(({ property, reason }) => (property === "" ? reason : `${property} ${reason}`))
    .join("\n");
}
