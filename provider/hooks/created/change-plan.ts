import { isDeepStrictEqual } from "node:util";
import type { ControlPlaneChanges } from "../../service/operations/control-plane-request.js";
import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { haveSameProxyUrls } from "../../service/operations/proxy-url.js";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import { storableDescription, storableName } from "../../text/storable-text.js";
import type { Arguments } from "../arguments/arguments.js";
import {
  decodeCreation,
  givenArguments,
  type RecordedCreation,
  storableImmutable,
  storableLabels,
  storableProxyUrls,
} from "../../state/created-codec.js";
import { encodeGuards, guardsAsRecorded, type Properties } from "../../state/recorded-fields.js";
import { type MembersPlan, planMembers } from "./members.js";

/** How a created control plane differs from the program, and what makes it the same. */
export interface ChangePlan {
  /** What cannot be changed in place, so that the control plane is replaced. */
  readonly replacements: readonly Replacement[];
  /** What is changed in place. Empty when nothing is sent. */
  readonly changes: ControlPlaneChanges;
  /** The members of the group. Undefined when the resource does not manage them, or when they are not known yet. */
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
 * difference, whatever the service says. One that it gave and gives no longer is emptied, where that is possible.
 */
export function planChange(
  recorded: ControlPlaneRef,
  outputs: Properties,
  inputs: Properties,
  { creation, address, hasAddress, guards }: Arguments,
): ChangePlan {
  const state = decodeCreation(outputs);
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

/** Returns a member that is to be changed: to what the program gives, or to nothing when it gives it no longer. */
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
