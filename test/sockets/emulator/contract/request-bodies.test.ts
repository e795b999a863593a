import { expect } from "chai";
import { entriesIn } from "../emulated-answers.js";
import { schemaNamed } from "./openapi-document.js";
import { one, RunningEmulator } from "../running-emulator.js";
import { blank, CREATE_ONLY, MEMBERS, members, must, PROPERTIES, tooMany, type Entry } from "./body-cases.js";

describe("a request body, compared with the rules of the public API and with emulator/openapi.yaml,", () => {
  const running = new RunningEmulator();

  /** Sends a body, and compares the answer and the document with the entries that are expected. */
  const expectEntries = async (
    method: string,
    path: string,
    schema: string,
    body: unknown,
    expected: readonly Entry[],
  ): Promise<void> => {
    const answer = await running.sendJson(method, path, body);
    expect(entriesIn(answer)).to.deep.equal(expected.map((entry) => ({ ...entry, source: "body" })));
    expect(answer.status).to.be.oneOf(expected.length === 0 ? [200, 201] : [400]);
    expect(schemaNamed(schema)(body), "accepted by the document").to.equal(expected.length === 0);
  };

  const titleOf = (value: unknown) => {
    const json = JSON.stringify(value);
    return json.length > 90 ? `${json.slice(0, 90)}… of ${json.length} characters` : json;
  };

  for (const [properties, ...expected] of [...PROPERTIES, ...CREATE_ONLY]) {
    it(`${expected.length === 0 ? "creates" : "does not create"} with ${titleOf(properties)}`, async () => {
      const body = { name: "core", ...properties };
      await expectEntries("POST", "/control-planes", "CreateControlPlaneRequest", body, expected);
      expect(running.emulator.controlPlanes.size).to.equal(expected.length === 0 ? 2 : 1);
    });
  }

  for (const [properties, ...expected] of PROPERTIES) {
    it(`${expected.length === 0 ? "changes" : "does not change"} with ${titleOf(properties)}`, async () => {
      const before = [...running.emulator.controlPlanes.values()];
      await expectEntries("PATCH", one, "UpdateControlPlaneRequest", properties, expected);
      if (expected.length > 0) {
        expect([...running.emulator.controlPlanes.values()]).to.deep.equal(before);
      }
    });
  }

  it("does not create without a name", async () => {
    await expectEntries("POST", "/control-planes", "CreateControlPlaneRequest", {}, [blank("name")]);
  });

  const calls = [
    ["PUT", "", "GroupMembershipReplacement", 256],
    ["POST", "/add", "GroupMembership", 50],
    ["POST", "/remove", "GroupMembership", 50],
  ] as const;
  for (const [method, call, schema, maximum] of calls) {
    const path = `${one}/group-memberships${call}`;
    const many: (typeof MEMBERS)[number] = [{ members: members(maximum + 1) }, tooMany("members", maximum)];
    for (const [body, ...expected] of [...MEMBERS, many]) {
      it(`does not change members by ${method} ${call} with ${titleOf(body)}`, async () => {
        await expectEntries(method, path, schema, body, expected);
      });
    }
  }

  const otherMediaTypes: readonly (readonly [what: string, body: string, contentType: string | undefined])[] =
    [
      ["a form", "name=core", "application/x-www-form-urlencoded"],
      ["JSON that is called a form", '{"name":"core"}', "application/x-www-form-urlencoded"],
      ["JSON that is called a merge patch", '{"name":"core"}', "application/merge-patch+json"],
      ["JSON without a media type", '{"name":"core"}', undefined],
    ];
  for (const [what, body, contentType] of otherMediaTypes) {
    it(`is refused with 415 when it is ${what}`, async () => {
      const headers = contentType === undefined ? {} : { "content-type": contentType };
      for (const [method, path] of [
        ["POST", "/control-planes"],
        ["PATCH", one],
        ["PUT", `${one}/group-memberships`],
      ]) {
        const { status } = await running.send({ method: method!, path: path!, headers, body });
        expect(status).to.equal(415);
      }
    });
  }

  const notJson: readonly (readonly [what: string, body: string | undefined])[] = [
    ["nothing", undefined],
    ["half of an object", '{"name":'],
  ];
  for (const [what, body] of notJson) {
    it(`is refused as a whole when it is ${what}`, async () => {
      const headers = { "content-type": "application/json" };
      for (const [method, path] of [
        ["POST", "/control-planes"],
        ["PATCH", one],
        ["PUT", `${one}/group-memberships`],
      ]) {
        const answer = await running.send({ method: method!, path: path!, headers, ...(body && { body }) });
        expect(answer.status).to.equal(400);
        expect(entriesIn(answer)).to.deep.equal([{ field: "body", reason: "invalid request format" }]);
      }
    });
  }

  for (const value of [7, "core", ["core"], null]) {
    it(`is refused as a whole when it is ${JSON.stringify(value)}`, async () => {
      await expectEntries("POST", "/control-planes", "CreateControlPlaneRequest", value, [
        must("body", "must be an object", "is_object"),
      ]);
    });
  }

  it("is accepted as JSON with a character set", async () => {
    const headers = { "content-type": "Application/JSON; charset=utf-8" };
    const answer = await running.create({ name: "core" }, { headers });
    expect(answer.status).to.equal(201);
  });

  it("is reported together with what is wrong in the path and the query", async () => {
    const answer = await running.patch({ name: "" }, { path: "/control-planes/nope?force=true" });
    expect(entriesIn(answer).map(({ field }) => field)).to.deep.equal(["id", "force", "name"]);
  });
});
