import { ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import type { Session } from "../session/session.js";
import { safe, safeLines, safeName, type SafeText } from "../text/safe-text.js";
import { makePlan, type Plan } from "./make-plan.js";
import type { StackState } from "./stack-state.js";

/**
 * Makes the plan of a state with the settings of the environment.
 *
 * @param isAllowed whether the token may be sent to an address; default: to any
 * @throws ControlPlaneError if the settings are unusable, when the service does not say what exists, or when the state
 *   is that of a stack without control planes
 */
export async function planOfState(
  state: StackState,
  session: Session,
  isAllowed?: (address: string) => boolean,
): Promise<Plan> {
  const isOwn = state.ownResources > 0 || state.pendingOperations.some((pending) => pending.isOwn);
  if (!isOwn && state.otherResources > 0) throw foreignState(state);
  if (state.controlPlanes.length > 0) requireUsable(session);
  const { client, scope, settings } = session;
  const asking = { client, scope, ...(isAllowed && { isAllowed }) };
  return makePlan(state, asking, { nowMs: Date.now(), isForced: settings.forceDelete });
}

/**
 * Fails when a setting is unusable, also the address in the environment, or when there is no token.
 *
 * @param so what fails because of that
 * @throws ControlPlaneError that names what is allowed
 */
export function requireUsable({ settings }: Session, so = safe`no plan`): void {
  const { environmentAddress: address } = settings;
  const unusable = address?.parsed.ok === false ? [{ ...address, reason: address.parsed.reason }] : [];
  const problems = [...settings.problems, ...unusable].map(
    ({ setting, reason }) => safe`  ${setting} ${reason}`,
  );
  if (problems.length > 0) throw settingsError(safeLines([safe`${so}: unusable settings`, ...problems]));
  try {
    settings.tokens.current();
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    throw settingsError(
      safe`${so}: ${error.summary}
  This command does not see the stack configuration: set the token in the environment.`,
    );
  }
}

function foreignState({ project, stack, otherResources }: StackState): ControlPlaneError {
  const which: SafeText = safe`stack "${safeName(stack ?? "", 60)}" of project "${safeName(project ?? "", 60)}"`;
  const resources = otherResources === 1 ? safe`1 resource` : safe`${otherResources} resources`;
  return settingsError(
    safe`no plan: ${which} declares no control planes
  Its state has ${resources} of other kinds. Is it the right stack?`,
  );
}
