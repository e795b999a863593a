import type { LookUpSession, LookUpSource } from "../lookups/look-up-source.js";
import { lookUpControlPlane } from "../lookups/one-control-plane.js";
import { lookUpControlPlanes } from "../lookups/select-control-planes.js";
import type { Run } from "../run/run.js";
import { settingsError } from "../service/failure/control-plane-error.js";
import type { Properties } from "../state/recorded-fields.js";
import { safe, safeText } from "../text/safe-text.js";
import { PACKAGE } from "./configuration.js";

/** Runs a function of the package. @param token for example `konnect-control-planes:index:getControlPlane` */
export async function invoke(token: string, args: Properties, session: Run["session"]): Promise<Properties> {
  const source: LookUpSource = { session: () => Promise.resolve(lookUpSession(session)) };
  switch (token) {
    case `${PACKAGE}:index:getControlPlane`: {
      return { ...(await lookUpControlPlane(args, source)) };
    }
    case `${PACKAGE}:index:selectControlPlanes`: {
      const found = await lookUpControlPlanes(args, source);
      // Not every language can take the ids out of a list of objects.
      return { controlPlanes: found, ids: found.map(({ id }) => id) };
    }
    default:
      throw settingsError(safe`There is no function ${safeText(token, 200)}`);
  }
}

/** An engine tells a function neither the project nor the stack, nor whether this is a preview, so no line is recorded. */
function lookUpSession(session: Run["session"]): LookUpSession {
  return { ...session, project: "", stack: "", record: () => Promise.resolve() };
}
