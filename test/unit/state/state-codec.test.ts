import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { decodeState, encodeState, recordedControlPlane } from "../../../provider/state/state-codec.js";
import { errorOf, EU, ID, OTHER_ID, outputs } from "../hooks/fake-context.js";

const lastProblem = { status: 403, title: "Permission denied", instance: "konnect:trace:1" };

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
      `The state's id "edge" is not a UUID: control plane edge was left alone
  Nothing was sent. Correct the state, or remove the resource from it with pulumi state delete.`,
    );
  });

  it("is refused without showing an id that could be a token", async () => {
    const error = await errorOf(() => recordedControlPlane("spat_sentinel", outputs));
    expect(error.message).to.match(/^The state's id "spat_\[removed\]" is not a UUID/);
    expect(error.message).not.to.contain("sentinel");
  });

  it("is refused with an unusable address, which is not repeated", async () => {
    for (const baseUrl of [undefined, 7, "", "http://u:hunter2@evil.example", "https://@evil.example"]) {
      const error = await errorOf(() => recordedControlPlane(ID, { baseUrl }));
      expect(error).to.include({
        subject: `control plane ${ID}`,
        summary: "unusable address in the state",
      });
      expect(error.message).to.match(/^The state's baseUrl is not a usable address: control plane/);
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

/** Returns the resource in a state that release 0.1.0 wrote. */
function firstRelease(): { readonly id: string; readonly state: Readonly<Record<string, unknown>> } {
  const file = path.resolve(__dirname, "../../states/0.1.0.json");
  const { deployment } = JSON.parse(readFileSync(file, "utf8")) as {
    deployment: { resources: { type: string; id?: string; outputs?: Record<string, unknown> }[] };
  };
  const resource = deployment.resources.find(({ type }) => type.endsWith(":ControlPlane"));
  return { id: resource?.id ?? "", state: resource?.outputs ?? {} };
}
