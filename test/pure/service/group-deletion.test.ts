import { expect } from "chai";
import type { DeletionGuard, HolderProgress, MemberPolicy } from "../../../provider/service/deletion.js";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import { safe } from "../../../provider/text/safe-text.js";
import { after, FakeService, type Step } from "./fake-service.js";
import { deleted, found, gone, problemReply, ref, reply, unavailable } from "./answers.js";

const idOf = (n: number) => `0b6f6c1e-5a0e-4a55-9d0c-${String(n).padStart(12, "0")}`;
const members = (...numbers: readonly number[]) =>
  reply(200, {
    meta: { page: { next: null, total: numbers.length } },
    data: numbers.map((n) => ({ id: idOf(n), name: `member-${n}` })),
  });
const noControlPlanes = reply(200, { data: [], meta: { page: { number: 1, size: 100, total: 0 } } });
const conflict = problemReply(409, "Conflict");
const noGroup = problemReply(400, "Bad Request");

/** A guard whose check holds for ten seconds. Its ends are scripted: whether the control plane may be deleted. */
class ScriptedGuard implements DeletionGuard {
  readonly asked: boolean[] = [];
  #clearMs = -Infinity;

  constructor(
    private readonly service: FakeService,
    private readonly ends: ("clear" | "refused" | "gone")[],
  ) {}

  readonly isFresh = () => this.service.clock.nowMs - this.#clearMs <= 10_000;

  readonly check: DeletionGuard["check"] = (mayHaveWorked) => {
    this.asked.push(mayHaveWorked);
    const end = this.ends.shift() ?? "refused";
    if (end === "gone") {
      const facts = { attempts: 1, startedAtMs: 0, durationMs: 1, waitedMs: 0, tokenSource: safe`a token` };
      return Promise.resolve({ outcome: "gone", facts: { ...facts, status: 404 } });
    }
    if (end === "clear") {
      this.#clearMs = this.service.clock.nowMs;
      return Promise.resolve(undefined);
    }
    const subject = safe`control plane`;
    return Promise.reject(
      new ControlPlaneError(safe`Labels differ: it was not deleted\n\n  next      keep it`, {
        ...{ kind: "guarded", subject, summary: safe`Labels differ` },
      }),
    );
  };
}

/** Deletes a group with these answers. Returns the error or the outcome, and what was sent. */
async function remove(
  steps: readonly Step[],
  policy: Partial<MemberPolicy>,
  ends?: ("clear" | "refused" | "gone")[],
) {
  const service = new FakeService(steps);
  const guard = ends === undefined ? undefined : new ScriptedGuard(service, ends);
  const all = {
    ...{ isKnownGroup: true, detachesAll: false, detachable: new Set([idOf(1), idOf(2)]) },
    onDetached: () => undefined,
    progressOf: () => "held" as const,
    ...policy,
  };
  const end = await service
    .client()
    .deleteControlPlane(ref, service.scope, guard, all)
    .catch((error: unknown) => error);
  const sent = service.requests.map(
    ({ method, url }) => `${method} ${new URL(url).pathname.split("/").at(-1)}`,
  );
  const message = end instanceof ControlPlaneError ? end.message : JSON.stringify(end);
  return { message, end, sent, asked: guard?.asked, left: service.left };
}

describe("the deletion of a group", () => {
  it("checks its guards again before members are removed when their reading took long", async () => {
    const { end, sent, asked } = await remove([after(20_000, members(1))], {}, ["clear", "refused"]);
    expect(end).to.include({ kind: "guarded" });
    expect(asked).to.deep.equal([false, false]);
    expect(sent).to.deep.equal(["GET group-memberships"]);
  });

  it("checks its guards again after a 409, before members are removed", async () => {
    const steps = [after(20_000, conflict), members(1)];
    const { end, sent } = await remove(steps, { isKnownGroup: false }, ["clear", "refused"]);
    expect(end).to.include({ kind: "guarded" });
    expect(sent).to.deep.equal([`DELETE ${ref.id}`, "GET group-memberships"]);
  });

  it("checks its guards before each attempt to remove members", async () => {
    const steps = [members(1), after(20_000, unavailable)];
    const { end, sent } = await remove(steps, {}, ["clear", "refused"]);
    expect(end).to.include({ kind: "guarded" });
    expect(sent).to.deep.equal(["GET group-memberships", "POST remove"]);
  });

  it("does not say that it may be deleted because a removal of members has no clear answer", async () => {
    const unclear = after(20_000, problemReply(504, "Gateway Timeout"));
    const { asked } = await remove([members(1), unclear], {}, ["clear", "refused"]);
    expect(asked).to.deep.equal([false, false]);
  });

  it("succeeds when a check before the removal of members meets the proof that it is gone", async () => {
    const { end, sent } = await remove([after(20_000, members(1))], {}, ["clear", "gone"]);
    expect(end).to.deep.include({ outcome: "already gone", proof: 404 });
    expect(sent).to.deep.equal(["GET group-memberships"]);
  });

  const failures: readonly (readonly [
    what: string,
    steps: readonly Step[],
    policy: Partial<MemberPolicy>,
    ends: ("clear" | "refused")[] | undefined,
    row: string,
  ])[] = [
    [
      "the DELETE is refused",
      [members(1, 2), reply(204), problemReply(403, "Forbidden")],
      {},
      undefined,
      "  members   2 were removed from the group; pulumi up --refresh adds them again",
    ],
    [
      "a guard refuses afterwards",
      [members(1), after(20_000, reply(204))],
      {},
      ["clear", "refused"],
      "  members   1 was removed from the group; pulumi up --refresh adds it again",
    ],
    [
      "some of them were added by others",
      [members(1, 3), reply(204), problemReply(403, "Forbidden")],
      { detachesAll: true },
      undefined,
      "  members   2 were removed from the group",
    ],
    [
      "the group was adopted",
      [conflict, members(1), reply(204), problemReply(403, "Forbidden")],
      { isKnownGroup: false, detachesAll: true },
      undefined,
      "  members   1 was removed from the group",
    ],
  ];
  for (const [what, steps, policy, ends, row] of failures) {
    it(`says in its error that members were removed when ${what}`, async () => {
      const { message, left } = await remove(steps, policy, ends);
      expect(message.split("\n").at(-1)).to.equal(row);
      expect(left).to.equal(0);
    });
  }

  it("says nothing of members when none was removed", async () => {
    const { message } = await remove([members(), problemReply(403, "Forbidden")], {});
    expect(message).not.to.contain("  members ");
  });

  it("does not take members that cannot be read for none", async () => {
    const policy = { isKnownGroup: false, detachable: new Set<string>() };
    const { message } = await remove([conflict, unavailable, noControlPlanes], policy);
    expect(message).to.contain("  Could not check whether it has members.\n");
    expect(message).to.contain("  This token can see no group that holds it.\n");
    const { message: certain } = await remove([conflict, noGroup, noControlPlanes], policy);
    expect(certain).not.to.contain("Whether it has members");
  });

  it("leaves the decision to the service when all members may go and the service says that it is no group", async () => {
    const { end } = await remove([noGroup, deleted], { detachesAll: true });
    expect(end).to.deep.include({ outcome: "deleted" });
    const { end: gate } = await remove([noGroup], {});
    expect(gate).to.include({ kind: "invalid" });
  });

  it("names the groups in the plural when several hold it", async () => {
    const groups = [7, 8].map((n) => ({
      ...{ id: idOf(n), name: `group-${n}` },
      config: { cluster_type: "CLUSTER_TYPE_CONTROL_PLANE_GROUP" },
    }));
    const list = reply(200, { data: groups, meta: { page: { number: 1, size: 100, total: 2 } } });
    const self = reply(200, {
      meta: { page: { next: null, total: 1 } },
      data: [{ id: ref.id, name: "edge" }],
    });
    const end = reply(200, { data: [], meta: { page: { number: 2, size: 100, total: 2 } } });
    const { message } = await remove([conflict, noGroup, list, end, self, self], { isKnownGroup: false });
    expect(message).to.contain("It is a member of 2 groups: ");
    expect(message).to.contain("next      take it out of these groups, or delete them first, then run again");
  });

  it("ends when the group is gone before its members are removed", async () => {
    const { end } = await remove([gone, gone], {});
    expect(end).to.deep.include({ outcome: "already gone" });
    const { end: error } = await remove([gone, found], {});
    expect(error).to.be.an("error");
  });
});

describe("the deletion of a member of a group", () => {
  const GROUP = {
    ...{ id: idOf(7), name: "all" },
    config: { cluster_type: "CLUSTER_TYPE_CONTROL_PLANE_GROUP" },
  };
  const list = reply(200, { data: [GROUP], meta: { page: { number: 1, size: 100, total: 1 } } });
  const self = reply(200, { meta: { page: { next: null, total: 1 } }, data: [{ id: ref.id, name: "edge" }] });
  const held: readonly Step[] = [conflict, noGroup, list, self];

  /** Deletes it while the run reports this progress of its groups, one after the other; the last one stays. */
  async function removeMember(steps: readonly Step[], ...progress: readonly HolderProgress[]) {
    const asked: { readonly groupIds: readonly string[]; readonly nowMs: number }[] = [];
    const progressOf: MemberPolicy["progressOf"] = (groupIds, nowMs) => {
      asked.push({ groupIds, nowMs });
      return progress[Math.min(asked.length, progress.length) - 1] ?? "held";
    };
    const ended = await remove(steps, { isKnownGroup: false, detachable: new Set(), progressOf });
    const deletes = ended.sent.filter((request) => request === `DELETE ${ref.id}`).length;
    return { ...ended, asked, deletes };
  }

  it("is sent again when the run has let it go, and counts both attempts", async () => {
    const { end, asked, left } = await removeMember([...held, deleted], "free");
    expect(end).to.deep.include({ outcome: "deleted", proof: 204 });
    expect(end).to.have.nested.property("facts.attempts", 2);
    expect(asked.map(({ groupIds }) => groupIds)).to.deep.equal([[idOf(7)]]);
    expect(left).to.equal(0);
  });

  it("waits as long as the run may let it go", async () => {
    const { end, asked } = await removeMember([...held, deleted], "pending", "pending", "free");
    expect(end).to.deep.include({ outcome: "deleted" });
    const [first = 0, ...later] = asked.map(({ nowMs }) => nowMs);
    expect(later.map((nowMs) => nowMs - first)).to.deep.equal([100, 200]);
  });

  it("is not sent again when a group stays", async () => {
    const { message, deletes } = await removeMember(held, "pending", "held");
    expect(deletes).to.equal(1);
    expect(message).to.contain("It is a member of the group: ");
    expect(message).to.match(/take it out of the group, or delete the group first, then run again$/);
  });

  it("names the order that helps when the deletion of its group has not begun", async () => {
    const { message, deletes } = await removeMember(held, "not begun");
    expect(deletes).to.equal(1);
    expect(message).to.match(
      /run again; if this stack deletes the group, too, list this resource in dependsOn of the group and run pulumi up first$/,
    );
  });

  it("is sent again once at most", async () => {
    const { message, deletes, left } = await removeMember([...held, conflict, noGroup], "free");
    expect([deletes, left]).to.deep.equal([2, 0]);
    expect(message).to.contain("It is a member of the group: ");
  });

  it("is sent again when its group has let it go before the group was found", async () => {
    const steps = [conflict, noGroup, noControlPlanes, deleted];
    const { end, asked } = await removeMember(steps, "free");
    expect(end).to.deep.include({ outcome: "deleted" });
    expect(asked.map(({ groupIds }) => groupIds)).to.deep.equal([[]]);
  });

  it("waits no longer when the run is stopped, and says what the service said", async () => {
    const service = new FakeService(held);
    const stop = new AbortController();
    const end = await service
      .client()
      .deleteControlPlane(ref, { ...service.scope, signal: stop.signal }, undefined, {
        ...{ isKnownGroup: false, detachesAll: false, detachable: new Set() },
        onDetached: () => undefined,
        progressOf() {
          stop.abort(new Error("stopped"));
          return "pending";
        },
      })
      .catch((error: unknown) => error);
    expect(end).to.include({ kind: "conflict" });
    expect(service.requests.filter(({ method }) => method === "DELETE")).to.have.length(1);
  });
});
