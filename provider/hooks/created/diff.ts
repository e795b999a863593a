import { isDeepStrictEqual } from "node:util";
import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import {
  type ControlPlaneChanges,
  haveSameProxyUrls,
} from "../../service/operations/control-plane-document.js";
import type { ControlPlaneRef } from "../../service/operations/control-planes.js";
import {
  givenArguments,
  type RecordedCreation,
  storableImmutable,
  storableLabels,
  storableProxyUrls,
} from "../../state/created-codec.js";
import {
  encodeGuards,
  guardsAsRecorded,
  type Properties,
  requireKnownGuards,
} from "../../state/recorded-fields.js";
import { type CreatedControlPlane, requireUsable } from "../../state/state-codec.js";
import {
  joinSafe,
  safe,
  type SafeText,
  safeText,
  storableDescription,
  storableName,
} from "../../text/safe-text.js";
import { type Arguments, parseArguments } from "../arguments/arguments.js";
import { guardDeletion } from "../check-guards.js";
import { declarationOf } from "../check.js";
import { type DiffResult, emitOnce, type HookContext } from "../context.js";
import { declaredTwice, describeLoss, refuseInThisRun } from "../custody.js";
import { type MembersPlan, planMembers } from "./members.js";

/**
 * Compares a created control plane with the program. Sends no request, unless a change would delete it: then it is read, so
 * that the preview shows what will be lost, and its guards are asked.
 *
 * @throws ControlPlaneError if a guard forbids the deletion
 */
export async function diffCreated(
  context: HookContext,
  state: CreatedControlPlane,
  inputs: Properties,
): Promise<DiffResult> {
  const { ledger, refreshes, settings, emit, urn } = context;
  const { ref: recorded } = requireUsable(state);
  // A refresh compares what it has just read. It does not see the program.
  const hasChanged = refreshes.take(urn, recorded.id);
  if (hasChanged !== undefined) return { changes: hasChanged };
  const wanted = parseArguments(inputs, settings);
  ledger.compare(urn, declarationOf(wanted));
  const plan = planChange(recorded, state, inputs, wanted);
  if (!wanted.hasAddress && wanted.address !== recorded.address && ledger.isDeclared(urn)) {
    emit({
      type: "recorded address differs",
      controlPlane: recorded,
      isCreated: true,
      inSettings: wanted.address,
    });
  }
  const [rival] = ledger.rivals(urn, [recorded.id]);
  if (rival !== undefined) throw declaredTwice(recorded, urn, rival.by);
  if (plan.replacements.length > 0) {
    const name = wanted.creation?.wanted.name ?? recorded.name;
    return replace(context, recorded, state, {
      plan,
      takesName: takesName(recorded, name, wanted.address),
    });
  }
  ledger.hold(urn, recorded.address, [recorded.id], "diff");
  const sent = [...Object.keys(plan.changes), ...(plan.members?.isChanged === true ? ["members"] : [])];
  if (sent.length > 0) noticeLastProblem(context, recorded, state, sent);
  const changes = sent.length > 0 || plan.changesState;
  return plan.isOpen && !changes ? {} : { changes };
}

/** Pulumi shows no reason for a change that only goes on where the last run stopped. */
function noticeLastProblem(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  { lastProblem: problem }: CreatedControlPlane,
  changes: readonly string[],
): void {
  if (problem === undefined) return;
  const event = { type: "changes after a problem", controlPlane, changes, problem } as const;
  emitOnce(context, event, `last problem ${controlPlane.id}`);
}

/** Whether the new control plane needs the name of the old one. Whether case matters is not documented. */
function takesName(old: ControlPlaneRef, name: string | undefined, address = old.address): boolean {
  return address === old.address && name?.toLowerCase() === old.name?.toLowerCase();
}

async function replace(
  context: HookContext,
  recorded: ControlPlaneRef,
  state: CreatedControlPlane,
  { plan, takesName }: { readonly plan: ChangePlan; readonly takesName: boolean },
): Promise<DiffResult> {
  if (context.settings.noDelete) throw refuseInThisRun(recorded);
  const loss = await describeLoss(context, recorded);
  const unchecked = await checkGuards(context, recorded, state);
  const changed = joinSafe(
    plan.replacements.map(({ text }) => text),
    ", ",
  );
  const event = {
    type: "will be replaced",
    controlPlane: recorded,
    loss: [...loss, ...unchecked, safe`Changed: ${changed}. This cannot be changed in place.`],
  } as const;
  emitOnce(context, event, `replace ${recorded.id}`);
  return {
    changes: true,
    replaces: plan.replacements.map(({ argument }) => argument),
    deleteBeforeReplace: takesName,
  };
}

/** Asks the guards before anything is deleted. A check that fails is no reason to fail a preview; the deletion asks again. */
async function checkGuards(
  context: HookContext,
  recorded: ControlPlaneRef,
  state: CreatedControlPlane,
): Promise<readonly SafeText[]> {
  try {
    await guardDeletion(context, recorded, requireKnownGuards(state, recorded))?.check(false);
    return [];
  } catch (error) {
    if (!(error instanceof ControlPlaneError) || ["guarded", "settings"].includes(error.kind)) throw error;
    return [safe`Its guards could not be checked yet: ${error.summary}.`];
  }
}

/** How a created control plane differs from the program, and what makes it the same. */
export interface ChangePlan {
  /** What cannot be changed in place, so that the control plane is replaced. */
  readonly replacements: readonly Replacement[];
  /** What is changed in place. Empty if nothing is sent. */
  readonly changes: ControlPlaneChanges;
  /** The members of the group. Undefined if the resource does not manage them, or when they are not known yet. */
  readonly members: MembersPlan | undefined;
  /** Whether only the state changes: the guards, or which arguments the program gives. */
  readonly changesState: boolean;
  /** Whether a value is not known yet, so that there may be more. */
  readonly isOpen: boolean;
}

/** An argument whose change replaces the control plane. */
export interface Replacement {
  readonly argument: string;
  /** What changes, with the value before and after. */
  readonly text: SafeText;
}

/**
 * Compares what the state records with what the program wants. An argument that the program does not give is no
 * difference, whatever the service shows. One that was set and no longer is, is emptied if that is possible.
 */
export function planChange(
  recorded: ControlPlaneRef,
  { creation: state, outputs }: Pick<CreatedControlPlane, "creation" | "outputs">,
  inputs: Properties,
  { creation, address, hasAddress, guards }: Arguments,
): ChangePlan {
  const wanted = creation?.wanted ?? {};
  const given = givenArguments(inputs);
  const isDropped = (argument: string) => state.given.includes(argument) && !given.includes(argument);
  const { name, description, labels, authType, proxyUrls } = wanted;
  const changes: ControlPlaneChanges = {
    ...(name !== undefined && storableName(name) !== recorded.name && { name }),
    ...changed(
      "description",
      description,
      isDropped,
      "",
      (text) => storableDescription(text) === (state.description ?? ""),
    ),
    ...changed("labels", labels, isDropped, {}, (wish) =>
      isDeepStrictEqual(storableLabels(wish), state.labels),
    ),
    ...(authType !== undefined && storableName(authType) !== state.authType && { authType }),
    ...changed("proxyUrls", proxyUrls, isDropped, [], (urls) =>
      haveSameProxyUrls(storableProxyUrls(urls), state.proxyUrls),
    ),
  };
  const moved =
    hasAddress && address !== undefined && address !== recorded.address
      ? [
          {
            argument: inputs.region === undefined ? "baseUrl" : "region",
            text: fromTo(safe`address`, recorded.address, address),
          },
        ]
      : [];
  const isOpen =
    (creation?.open.length ?? 0) > 0 || guards === undefined || (hasAddress && address === undefined);
  return {
    replacements: [...immutableReplacements(state, wanted), ...moved],
    changes,
    members: planMembers(state, creation, given),
    changesState:
      (guards !== undefined && !isDeepStrictEqual(encodeGuards(guards), guardsAsRecorded(outputs))) ||
      isNewlyGiven(state, given),
    isOpen,
  };
}

/** Returns a member that is to be changed: to the value of the program, or to an empty one if it is no longer set. */
function changed<Name extends string, Value>(
  argument: Name,
  wanted: Value | undefined,
  isDropped: (argument: string) => boolean,
  empty: Value,
  isRecorded: (value: Value) => boolean,
): Partial<Record<Name, Value>> {
  const wish = wanted ?? (isDropped(argument) ? empty : undefined);
  if (wish === undefined || isRecorded(wish)) return {};
  const change: Partial<Record<Name, Value>> = {};
  change[argument] = wish;
  return change;
}

function immutableReplacements(
  state: RecordedCreation,
  wanted: NonNullable<Arguments["creation"]>["wanted"],
): readonly Replacement[] {
  const now = storableImmutable(wanted);
  return (["clusterType", "cloudGateway"] as const).flatMap((argument) => {
    // The service may call what was asked for something else. Both names mean the same.
    const names = [state.asked[argument], state[argument]].filter((name) => name !== undefined);
    const [before] = names;
    const wish = now[argument];
    if (wish === undefined || before === undefined || names.includes(wish)) return [];
    return [{ argument, text: fromTo(safeText(argument, 20), String(before), String(wish)) }];
  });
}

/** Whether the program now gives a value that the service had already. It has to be known as given. */
function isNewlyGiven(
  { description = "", labels, proxyUrls, given: before }: RecordedCreation,
  given: readonly string[],
): boolean {
  const filled = {
    description: description !== "",
    labels: Object.keys(labels).length > 0,
    proxyUrls: proxyUrls.length > 0,
  };
  return (["description", "labels", "proxyUrls"] as const).some(
    (argument) => filled[argument] && given.includes(argument) && !before.includes(argument),
  );
}

function fromTo(what: SafeText, before: string, now: string): SafeText {
  return safe`${what} from ${safeText(before, 200)} to ${safeText(now, 200)}`;
}
