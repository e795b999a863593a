import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { requireKnownGuards } from "../../../provider/state/recorded-fields.js";
import {
  decodeControlPlane,
  decodeState,
  encodeState,
  requireUsable,
} from "../../../provider/state/state-codec.js";
import { errorOf, EU, ID, OTHER_ID, outputs, recordedRef } from "../hooks/fake-context.js";
import { SECRET_VALUE } from "../plan/exported-state.js";

const lastProblem = { status: 403, title: "Permission denied", instance: "konnect:trace:1" };

const recordedControlPlane = (id: string, state: Readonly<Record<string, unknown>>) =>
  requireUsable(decodeControlPlane(id, state)).ref;

describe("decoding a state", () => {
  it("returns what is recorded", () => {
    expect(decodeState({ ...outputs, lastProblem, __provider: "text" })).to.deep.equal({
      baseUrl: EU,
      name: "edge",
      lastProblem,
      origin: "adopted",
    });
  });

  for (const [mark, origin] of [
    [undefined, "adopted"],
    ["adopted", "adopted"],
    ["created", "created"],
    ["external", "external"],
    ["something else", "adopted"],
    [7, "adopted"],
  ] as const) {
    it(`takes a resource with the mark ${JSON.stringify(mark)} for ${origin}`, () => {
      const state = mark === undefined ? outputs : { ...outputs, __origin: mark };
      expect(decodeState(state).origin).to.equal(origin);
    });
  }

  it("leaves out members that are not as they were recorded", () => {
    const broken = [{ status: "403", title: "x" }, { status: 403 }, [], null, "403"];
    for (const problem of broken) {
      expect(decodeState({ baseUrl: 7, name: null, lastProblem: problem })).to.deep.equal({
        origin: "adopted",
      });
    }
  });

  it("reads a state of release 0.1.0 as that of an adopted control plane", () => {
    const { id, state } = firstRelease();
    expect(decodeState(state)).to.deep.equal({
      baseUrl: "http://127.0.0.1:1/v2",
      name: "plane-1",
      origin: "adopted",
    });
    expect(recordedControlPlane(id, state)).to.deep.equal({
      id: "9524ec7d-36d9-465d-a8c5-000000000001",
      address: "http://127.0.0.1:1/v2",
      name: "plane-1",
    });
  });
});

describe("encoding a state", () => {
  for (const name of [
    "edge",
    "team::edge",
    "Bearer gateway",
    "kpat_edge",
    "制御 ش 😀",
    "  two  spaces ",
    'a "quoted" \\ name',
    "x".repeat(256),
    "",
  ]) {
    it(`stores a name as the service sent it: ${JSON.stringify(name.slice(0, 20))}`, () => {
      expect(encodeState({ baseUrl: EU, name, origin: "adopted" })).to.deep.equal({ baseUrl: EU, name });
    });
  }

  const commands: readonly (readonly [name: string, stored: string])[] = [
    ["\u001b[31mred", "\\u001b[31mred"],
    ["two\nlines", "two lines"],
    ["bell\u0007", "bell\\u0007"],
    ["eu\u202e", "eu\\u202e"],
    ["<{%reset%}>", "< {%reset%}>"],
    ["::error::edge", ": :error::edge"],
    ["edge ::error::", "edge : :error::"],
    ["##[error]edge", "## [error]edge"],
    ["##vso[task.complete]", "## vso[task.complete]"],
  ];
  for (const [name, stored] of commands) {
    it(`stores a name that a terminal or the CLI would interpret as a command in its safe form: ${JSON.stringify(name.slice(0, 20))}`, () => {
      expect(encodeState({ name, origin: "adopted" })).to.deep.equal({ name: stored });
      expect(encodeState({ name: stored }), "when it is stored again").to.deep.equal({ name: stored });
    });
  }

  for (const [origin, mark] of [
    ["adopted", {}],
    ["created", { __origin: "created" }],
    ["external", { __origin: "external" }],
  ] as const) {
    it(`${origin === "adopted" ? "needs no mark" : "writes the mark"} for a resource that is ${origin}`, () => {
      expect(encodeState({ baseUrl: EU, origin })).to.deep.equal({ baseUrl: EU, ...mark });
    });
  }

  it("keeps members that it does not know, and replaces those that it does", () => {
    const before = { baseUrl: EU, name: "old", lastProblem, labels: { a: "b" }, __future: [1] };
    expect(encodeState({ baseUrl: EU, name: "new", origin: "created" }, before)).to.deep.equal({
      baseUrl: EU,
      name: "new",
      labels: { a: "b" },
      __future: [1],
      __origin: "created",
    });
  });
});

describe("encoding what was decoded", () => {
  const states: readonly (readonly [what: string, state: Readonly<Record<string, unknown>>])[] = [
    ["an adopted control plane", outputs],
    ["one that was adopted unread", { baseUrl: EU, lastProblem }],
    ["one that was created", { ...outputs, __origin: "created" }],
    ["an external one", { ...outputs, __origin: "external" }],
    ["a name like a secret", { baseUrl: EU, name: "Bearer gateway" }],
    ["outputs of a newer release", { ...outputs, description: "x", labels: {}, __version: 3 }],
    ["the mark of a newer release", { ...outputs, __origin: "imported" }],
    ["a problem with a member of a newer release", { ...outputs, lastProblem: { ...lastProblem, extra: 1 } }],
    ["nothing", {}],
  ];
  for (const [what, state] of states) {
    it(`keeps ${what}`, () => {
      expect(encodeState(decodeState(state), state)).to.deep.equal(state);
    });
  }

  it("keeps a state of release 0.1.0, without the text of the provider, which the host adds", () => {
    const { state } = firstRelease();
    expect(encodeState(decodeState(state), state)).to.deep.equal({
      baseUrl: "http://127.0.0.1:1/v2",
      name: "plane-1",
    });
  });
});

describe("the control plane that a state records", () => {
  it("has a lower-case id, a normalized address and the recorded name", () => {
    const state = { baseUrl: "https://EU.api.konghq.com/", name: "edge" };
    expect(recordedControlPlane(ID.toUpperCase(), state)).to.deep.equal({
      id: ID,
      address: EU,
      name: "edge",
    });
  });

  it("is refused with an id that is not a UUID", async () => {
    const error = await errorOf(() => recordedControlPlane("edge", outputs));
    expect(error).to.include({
      kind: "settings",
      subject: "control plane edge",
      summary: "unusable id in the state",
    });
    expect(error.message).to.equal(
      `control plane edge was left alone: the state's id "edge" is not a UUID
  Nothing was sent. Correct the state, or remove the resource from it with pulumi state delete.`,
    );
  });

  it("is refused without showing an id that could be a token", async () => {
    const error = await errorOf(() => recordedControlPlane("spat_sentinel", outputs));
    expect(error.message).to.match(/: the state's id "spat_\[removed\]" is not a UUID\n/);
    expect(error.message).not.to.contain("sentinel");
  });

  it("is refused with an unusable address, which is not repeated", async () => {
    for (const baseUrl of [undefined, 7, "", "http://u:hunter2@evil.example", "https://@evil.example"]) {
      const error = await errorOf(() => recordedControlPlane(ID, { baseUrl }));
      expect(error).to.include({
        subject: `control plane ${ID}`,
        summary: "unusable address in the state",
      });
      expect(error.message).to.match(
        /^control plane .+ was left alone: the state's baseUrl is not a usable address\n/,
      );
      expect(error.message).not.to.contain("evil");
    }
  });

  it("is refused in safe words when the id is hostile", async () => {
    const { message } = await errorOf(() =>
      recordedControlPlane(`${OTHER_ID}\n::error::<{%x%}>${"x".repeat(100_000)}`, outputs),
    );
    expect(message.split("\n")).to.have.length(2);
    expect(message).not.to.match(/(^|\s)::|<\{%/);
    expect(message).to.have.lengthOf.below(600);
  });
});

describe("a decoded control plane", () => {
  const NOTHING_ELSE = {
    lastProblem: undefined,
    members: undefined,
    creation: undefined,
    createdAtMs: undefined,
    problems: [],
    secrets: [],
  };

  it("is what release 0.1.0 recorded", () => {
    const { id, state } = firstRelease();
    expect(decodeControlPlane(id, state)).to.deep.equal({
      ...NOTHING_ELSE,
      id: "9524ec7d-36d9-465d-a8c5-000000000001",
      idAsRecorded: "9524ec7d-36d9-465d-a8c5-000000000001",
      address: "http://127.0.0.1:1/v2",
      name: "plane-1",
      origin: "adopted",
      guards: {},
      outputs: state,
    });
  });

  it("has what its resource created it with, and when, only when the resource has created it", () => {
    const state = { ...outputs, labels: { a: "b" }, createdAt: "2026-01-01T00:00:00Z", members: [OTHER_ID] };
    const created = decodeControlPlane(ID, { ...state, __origin: "created", __given: "labels,members" });
    expect(created.creation).to.deep.include({ labels: { a: "b" }, given: ["labels", "members"] });
    expect(created.members).to.deep.equal({ ids: [OTHER_ID], foreign: [], attempted: [] });
    expect(requireUsable(created).ref).to.deep.equal({
      id: ID,
      address: EU,
      name: "edge",
      createdAtMs: Date.UTC(2026, 0, 1),
    });
    expect(decodeControlPlane(ID, state)).to.deep.include({ creation: undefined, createdAtMs: undefined });
  });

  it("was created when the run saw it, rather than when the service says", () => {
    const state = { ...outputs, __origin: "created", createdAt: "2026-01-01T00:00:00Z", __createdAtMs: 7 };
    expect(decodeControlPlane(ID, state).createdAtMs).to.equal(7);
    expect(decodeControlPlane(ID, { ...state, __createdAtMs: "7" }).createdAtMs).to.equal(Date.UTC(2026, 0));
    const { createdAt, ...without } = state;
    expect(createdAt).to.be.a("string");
    expect(decodeControlPlane(ID, without).createdAtMs).to.equal(7);
  });

  for (const createdAt of ["0001-01-01T00:00:00Z", "0", "May 5", "2026-01-01T00:00:00"]) {
    it(`has no time of its creation when the state says ${createdAt}`, () => {
      const state = { ...outputs, __origin: "created", createdAt };
      expect(decodeControlPlane(ID, state).createdAtMs).to.equal(undefined);
    });
  }

  it("has the problems of its state, with the place of each and what is allowed there", () => {
    const state = { baseUrl: "ftp://x", onlyIfLabels: {}, deletionPolicy: "by-vote", detachMembers: "yes" };
    const recorded = decodeControlPlane("Edge", state);
    expect(recorded).to.deep.include({ id: undefined, idAsRecorded: "Edge", address: undefined, guards: {} });
    expect(recorded.problems.map(({ kind, place, rule }) => `${kind}: ${place} ${rule}`)).to.deep.equal([
      "id: id must be a UUID",
      "address: outputs.baseUrl must start with https:// (http:// is allowed for a loopback address only)",
      "guard: outputs.onlyIfLabels must be an object with at least one label, and texts as values",
      "guard: outputs.deletionPolicy must be one of always, no-connected-nodes, empty; a newer release may know others",
      "guard: outputs.detachMembers must be true or false",
    ]);
    expect(decodeControlPlane(7, outputs)).to.deep.include({ id: undefined, idAsRecorded: "" });
  });

  it("names the secrets of an exported state, which are no problems and are not shown", () => {
    const state = { baseUrl: SECRET_VALUE, name: SECRET_VALUE, onlyIfLabels: { env: SECRET_VALUE } };
    const { outputs: kept, ...recorded } = decodeControlPlane(SECRET_VALUE, state);
    expect(recorded).to.deep.equal({
      ...NOTHING_ELSE,
      id: undefined,
      idAsRecorded: "",
      address: undefined,
      name: undefined,
      origin: "adopted",
      guards: {},
      secrets: ["id", "baseUrl", "name", "onlyIfLabels"],
    });
    expect(kept).to.equal(state);
  });

  it("is not deleted when a guard is a secret that nobody has decrypted", async () => {
    const recorded = decodeControlPlane(ID, { ...outputs, deletionPolicy: SECRET_VALUE });
    expect(await errorOf(() => requireKnownGuards(recorded, recordedRef))).to.include({
      summary: "unknown deletionPolicy in the state",
    });
    const unknown = { ...outputs, baseUrl: SECRET_VALUE };
    expect(await errorOf(() => requireUsable(decodeControlPlane(ID, unknown)))).to.include({
      summary: "unusable address in the state",
    });
  });
});

/** Returns the resource in a state that release 0.1.0 wrote. */
function firstRelease(): { readonly id: string; readonly state: Readonly<Record<string, unknown>> } {
  const file = path.resolve(__dirname, "../../states/0.1.0.json");
  const { deployment } = JSON.parse(readFileSync(file, "utf8")) as {
    deployment: { resources: { type: string; id?: string; outputs?: Record<string, unknown> }[] };
  };
  const resource = deployment.resources.find(({ type }) => type.endsWith(":ControlPlane"));
  return { id: resource?.id ?? "", state: resource?.outputs ?? {} };
}
