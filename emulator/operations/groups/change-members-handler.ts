import { parseBody } from "../../bodies/json-body.js";
import { emptyAnswer } from "../../http/http-answer.js";
import { invalidParameters, permissionDenied } from "../../service/refusal.js";
import { mayEdit } from "../../service/role.js";
import { checkId, checkNoQuery } from "../../service/unexpected-input.js";
import { findShown } from "../read-control-plane.js";
import type { OperationHandler } from "../route.js";
import { checkJoining, checkSizes } from "./member-rules.js";
import { requireGroup } from "./read-group.js";

/** What a call does to the members of a group. */
interface MembersChange {
  readonly body: "changeMembers" | "replaceMembers";
  /** Returns the members after the call. */
  readonly apply: (old: readonly string[], given: readonly string[]) => readonly string[];
}

/** The calls that change members, by the last part of their path. A call changes all that it names, or nothing. */
const CHANGES = {
  add: { body: "changeMembers", apply: (old, given) => [...old, ...given] },
  remove: { body: "changeMembers", apply: (old, given) => old.filter((id) => !given.includes(id)) },
  // The specification speaks of adding, but the vendor's own tools rely on a replacement.
  replace: { body: "replaceMembers", apply: (_, given) => given },
} as const satisfies Record<string, MembersChange>;

/** Returns the handler of a call that changes the members of a group. Source: Control Planes API v2. */
export function changeMembers(call: keyof typeof CHANGES): OperationHandler {
  const { body, apply }: MembersChange = CHANGES[call];
  return (context) => {
    const { store, role, id, query } = context;
    const { members } = parseBody(body, context, [...checkId(id), ...checkNoQuery(query)]);
    const group = findShown(context);
    if (!mayEdit(role, id)) throw permissionDenied(role.name);
    requireGroup(group);
    const given = members.map((member) => member.id.toLowerCase());
    const old = store.groups.membersOf(group.id);
    const updated = [...new Set(apply(old, given))];
    const invalid = [...checkSizes(old, updated), ...checkJoining(context, given, old, updated)];
    if (invalid.length > 0) throw invalidParameters(invalid);
    store.groups.replace(group.id, updated);
    return emptyAnswer(204);
  };
}
