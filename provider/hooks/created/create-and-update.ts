import type { Change } from "../../service/creation.js";
import { explainUnusable } from "../../service/failure/explain-call.js";
import {
  type ControlPlaneDocument,
  type NewControlPlane,
  withoutMark,
} from "../../service/operations/control-plane-document.js";
import type { ControlPlaneRef, NewControlPlaneRef } from "../../service/operations/control-planes.js";
import { type CallFacts, joinFacts } from "../../service/retry/call.js";
import { askedInVain, encodeCreation, givenArguments, recordedDocument } from "../../state/created-codec.js";
import { problemOf, type Properties, withoutGuards } from "../../state/recorded-fields.js";
import { type CreatedControlPlane, requireUsable } from "../../state/state-codec.js";
import {
  type Arguments,
  parseArguments,
  renderParameter,
  requireCreation,
  type RequiredCreation,
} from "../arguments/arguments.js";
import { type Created, type HookContext, reportFailure, requireSettings, type Updated } from "../context.js";
import { declaredTwice } from "../custody.js";
import { planChange } from "./diff.js";
import { type MembersPlan, type MembersReached, planFirstMembers, finishMembers } from "./members.js";

/**
 * Creates the control plane that the arguments describe. Once its id is known it is recorded, even when a later step
 * fails.
 */
export function createNew(context: HookContext, inputs: Properties): Promise<Created> {
  const { settings } = context;
  let required: RequiredCreation | undefined;
  return reportFailure<Created, NewControlPlaneRef>(context, {
    purpose: "create",
    id: "",
    find() {
      required = requireCreation(inputs, settings);
      return { address: required.address, name: required.wanted.name };
    },
    async run(subject) {
      requireSettings(settings, "create", subject);
      return make(context, inputs, required ?? requireCreation(inputs, settings));
    },
  });
}

async function make(
  context: HookContext,
  inputs: Properties,
  { address, wanted, members: wantedMembers, guards }: RequiredCreation,
): Promise<Created> {
  const { client, ledger, emit, randomId, urn } = context;
  const [rival] = ledger.declare(urn, { kind: "created", address, name: wanted.name });
  if (rival !== undefined) throw declaredTwice({ address, name: wanted.name }, urn, rival.by);
  const {
    controlPlane: created,
    isFoundByMark,
    seenAtMs,
    facts,
  } = await client.createControlPlane(address, wanted, randomId(), context);
  const { id, name } = created;
  const createdAtMs = seenAtMs ?? created.createdAtMs;
  const controlPlane = { id, address, name, createdAtMs };
  // The control plane exists, so a failure from here on must not keep its id from being recorded.
  const notShared = failureOf(() => ledger.hold(urn, address, [id], "create"));
  if (createdAtMs !== undefined) ledger.noteCreated(id, createdAtMs);
  const finished = await finish(context, {
    controlPlane,
    wanted,
    document: created,
    members: planFirstMembers(wantedMembers),
  });
  const { document, members, unfinished = notShared } = finished;
  const outs = encodeCreation({
    baseUrl: address,
    document,
    guards,
    members,
    given: givenArguments(inputs),
    asked: askedInVain(wanted, document),
    seenAtMs,
    lastProblem: problemOf(unfinished),
  });
  if (unfinished !== undefined) {
    emit({ type: "failed", purpose: "create", controlPlane, error: unfinished });
    return { id, outs, unfinished };
  }
  emit({ type: "created", controlPlane, isFoundByMark, facts });
  return { id, outs };
}

function failureOf(work: () => void): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Changes a created control plane in place. Sends only what changed. */
export function updateCreated(
  context: HookContext,
  recorded: CreatedControlPlane,
  inputs: Properties,
): Promise<Updated> {
  const { settings } = context;
  return reportFailure(context, {
    purpose: "update",
    id: recorded.idAsRecorded,
    find: () => requireUsable(recorded).ref,
    async run(controlPlane) {
      requireSettings(settings, "update", controlPlane);
      const wanted = parseArguments(inputs, settings);
      const [first, ...more] = wanted.invalid.map(renderParameter);
      if (first !== undefined) throw explainUnusable("update", controlPlane, [first, ...more]);
      return change(context, controlPlane, recorded, { inputs, wanted });
    },
  });
}

async function change(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  recorded: CreatedControlPlane,
  { inputs, wanted }: { readonly inputs: Properties; readonly wanted: Arguments },
): Promise<Updated> {
  const { client, emit } = context;
  const { creation, outputs } = recorded;
  const { changes, members: plan } = planChange(controlPlane, recorded, inputs, wanted);
  const isSent = Object.keys(changes).length > 0;
  const changed = isSent ? await client.updateControlPlane(controlPlane, changes, context) : undefined;
  const wishes = wanted.creation?.wanted ?? {};
  const finished = await finish(context, {
    controlPlane,
    members: plan && { ...plan, ...(isSent && { follows: "change" }) },
    // Labels that the program gives no longer are to go, too.
    wanted: changes.labels === undefined || wishes.labels !== undefined ? wishes : { ...wishes, labels: {} },
    areLabelsSent: changes.labels !== undefined,
    document: changed?.controlPlane ?? recordedDocument(controlPlane.id, outputs),
  });
  const { document, members, facts, unfinished } = finished;
  // Members that are given no longer stay recorded until they are removed.
  const given = givenArguments(inputs);
  const isManaged = given.includes("members") || unfinished !== undefined;
  const isChanged = isSent || plan?.isChanged === true;
  const lastProblem = problemOf(unfinished) ?? (isChanged ? undefined : recorded.lastProblem);
  const outs = encodeCreation(
    {
      baseUrl: controlPlane.address,
      document,
      guards: wanted.guards ?? {},
      members: isManaged ? members : undefined,
      given: isManaged && members !== undefined ? [...new Set([...given, "members"])] : given,
      asked: askedInVain(wishes, document, creation),
      lastProblem,
    },
    withoutGuards(outputs),
  );
  if (unfinished !== undefined) {
    emit({ type: "failed", purpose: "update", controlPlane, error: unfinished });
    return { outs, unfinished };
  }
  const made = [changed?.facts, facts].filter((each) => each !== undefined);
  const [first, second] = made;
  if (first !== undefined) {
    const all = second === undefined ? first : joinFacts(first, second);
    emit({ type: "updated", controlPlane: { ...controlPlane, name: document.name }, facts: all });
  }
  return { outs };
}

/** A control plane that exists and whose id is known, and what the program wants it to be. */
export interface Made {
  readonly controlPlane: ControlPlaneRef;
  readonly wanted: Partial<NewControlPlane>;
  /** Whether a PATCH has just sent the labels as a whole. Default: false. */
  readonly areLabelsSent?: boolean;
  /** Undefined if the resource does not manage the members of a group. */
  readonly members: MembersPlan | undefined;
  /** The control plane as the service described it last. */
  readonly document: ControlPlaneDocument;
}

/** How the steps ended, and what they have reached, also when one of them failed. */
export interface Finished extends Partial<MembersReached> {
  /** The control plane as the service described it last. */
  readonly document: ControlPlaneDocument;
  /** The last request of a step that changed something. */
  readonly facts?: CallFacts;
  /** Why a step failed. The steps after it did not run. */
  readonly unfinished?: Error;
}

/**
 * Runs the steps after the request that created or changed a control plane: its labels, then its members. The first one
 * that fails is the last one. Each can run again after it has failed.
 */
export async function finish(context: HookContext, made: Made): Promise<Finished> {
  const { controlPlane, document, members } = made;
  let reached: Finished = { document, ...(members !== undefined && { members: members.before }) };
  const note = (more: Partial<Finished>) => void (reached = { ...reached, ...more });
  try {
    const change = await finishLabels(context, made);
    if (change !== undefined) note({ document: change.controlPlane, facts: change.facts });
    if (members !== undefined) await finishMembers(context, controlPlane, members, note);
    return reached;
  } catch (error) {
    // After a defect, too, the control plane has to be recorded.
    return { ...reached, unfinished: error instanceof Error ? error : new Error(String(error)) };
  }
}

/**
 * Sends the labels as a whole when the service dropped one at the creation, or shows one that the program does not give.
 * Null removes a label in a service that merges labels, and is sent only to one that still shows it after that:
 * docs/decisions/create.md.
 *
 * @returns the last change; undefined if the labels are as they should be
 */
async function finishLabels(
  context: HookContext,
  { controlPlane, wanted: { labels }, areLabelsSent = false, document }: Made,
): Promise<Change | undefined> {
  if (labels === undefined) return undefined;
  let change: Change | undefined;
  for (const mayHoldNull of areLabelsSent ? [true] : [false, true]) {
    const shown = withoutMark((change?.controlPlane ?? document).labels);
    const surplus = Object.keys(shown).filter((label) => !Object.hasOwn(labels, label));
    const isMissing = Object.entries(labels).some(([label, value]) => shown[label] !== value);
    if (!isMissing && surplus.length === 0) break;
    const removed = mayHoldNull ? surplus.map((label) => [label, null] as const) : [];
    const changes = { labels: { ...labels, ...Object.fromEntries(removed) } };
    change = await context.client.updateControlPlane(controlPlane, changes, context);
  }
  return change;
}
