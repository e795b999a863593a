import { GROUP_TYPE, MAX_MEMBERS } from "../../service/operations/change-members.js";
import type { InvalidParameter } from "../../service/problem/invalid-parameter.js";
import { isUnknown, type Properties } from "../../state/recorded-fields.js";
import { parseIdList } from "./id-list.js";
import { accept, type ParsedArgument, refuse } from "./parsed-argument.js";

/** Parses the members of a group. Values that are not known yet are let through. An id that is given twice counts once. */
export function parseMembers({ members, clusterType }: Properties): ParsedArgument<readonly string[]> {
  const field = "members";
  if (!isUnknown(clusterType) && clusterType !== GROUP_TYPE) {
    const reason = `can be given only together with clusterType: "${GROUP_TYPE}"`;
    return refuse({ field, reason, rule: "invalid" });
  }
  if (isUnknown(members)) return { kind: "open", invalid: [] };
  if (!Array.isArray(members)) {
    const reason = "must be a list of the UUIDs of control planes, for example [edge.id]; it may be empty";
    return refuse({ field, reason, rule: "is_array" });
  }
  const { ids, isOpen, invalid } = parseIdList(members, field);
  const found = [...invalid, ...tooMany(ids.length)];
  if (isOpen) return { kind: "open", invalid: found };
  return found.length > 0 ? refuse(...found) : accept(ids);
}

function tooMany(count: number): readonly InvalidParameter[] {
  if (count <= MAX_MEMBERS) return [];
  const reason = `has ${count} control planes, which are too many`;
  return [{ field: "members", reason, rule: "max_items", maximum: MAX_MEMBERS }];
}
