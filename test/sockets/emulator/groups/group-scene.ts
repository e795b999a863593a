import { expect } from "chai";
import type { SeedControlPlane } from "../../../../emulator/index.js";
import type { RunningEmulator } from "../running-emulator.js";
import type { Received } from "../send-request.js";

/** The id of the group that every test of groups starts with. */
export const groupId = "6f1c0b0e-0d5c-4f64-9a53-2f3a5f1d7c11";

/** Returns the id of the control plane with this number. */
export function idOf(number: number): string {
  return `0b6f6c1e-5a0e-4a55-9d0c-${String(number).padStart(12, "0")}`;
}

/** Returns the ids of the control planes with numbers from 1. */
export function idsUpTo(count: number, first = 1): string[] {
  return Array.from({ length: count }, (_, at) => idOf(first + at));
}

/** Returns a group with these members. */
export function groupSeed(members: string[] = [], id = groupId): SeedControlPlane {
  return { id, name: `group ${id}`, clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP", members };
}

/** Returns control planes with these ids. */
export function seedsOf(ids: readonly string[]): SeedControlPlane[] {
  return ids.map((id) => ({ id, name: `member ${id}` }));
}

/** Sends a call that changes the members of the group. */
export function changeMembers(
  running: RunningEmulator,
  call: "add" | "remove" | "replace",
  ids: readonly string[],
  path = `/control-planes/${groupId}`,
): Promise<Received> {
  const members = ids.map((id) => ({ id }));
  return call === "replace"
    ? running.sendJson("PUT", `${path}/group-memberships`, { members })
    : running.sendJson("POST", `${path}/group-memberships/${call}`, { members });
}

/** Reads the ids of one page of the members of the group. */
export async function readMembers(running: RunningEmulator, query = "?page[size]=100") {
  const answer = await running.send({ path: `/control-planes/${groupId}/group-memberships${query}` });
  expect(answer.status).to.equal(200);
  const { meta, data } = JSON.parse(answer.text) as {
    meta: { page: { next: string | null; size: number; total?: number } };
    data: { id: string }[];
  };
  return { page: meta.page, ids: data.map(({ id }) => id) };
}
