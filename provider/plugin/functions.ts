import { type LookUpSession, type LookUpSource, recordSelections } from "../lookups/look-up-source.js";
import { lookUpControlPlane } from "../lookups/one-control-plane.js";
import { lookUpControlPlanes } from "../lookups/select-control-planes.js";
import type { Run } from "../run/run.js";
import { settingsError } from "../service/failure/control-plane-error.js";
import type { Properties } from "../state/recorded-fields.js";
import { safe, type SafeText, safeText } from "../text/safe-text.js";
import { PACKAGE } from "./configuration.js";

/**
 * Runs a function of the package.
 *
 * @param token for example `konnect-control-planes:index:getControlPlane`
 * @param isPreview whether the run is a preview, which a report says nothing about
 */
export async function invoke(
  token: string,
  args: Properties,
  { session, isPreview }: { readonly session: Run["session"]; readonly isPreview: boolean },
): Promise<Properties> {
  const source: LookUpSource = { session: () => Promise.resolve(lookUpSession(session, isPreview)) };
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

/** The engine tells the plugin its project, and a function no stack. */
function lookUpSession(session: Run["session"], isPreview: boolean): LookUpSession {
  const { settings, emit } = session;
  const warn = (text: SafeText) => emit({ type: "warning", text });
  const record = isPreview ? () => Promise.resolve() : recordSelections(settings.reportFiles, warn);
  return { ...session, project: process.env.PULUMI_PROJECT ?? "", stack: "", record };
}
