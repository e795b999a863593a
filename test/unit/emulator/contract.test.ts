import { expect } from "chai";
import { problem, startEmulator, type Emulator, type EmulatorOptions } from "../../../emulator/index.js";
import { documentedAnswers, documentedBody, schemaNamed } from "./openapi-document.js";
import { send, type Received, type Sending } from "./send-request.js";

const known = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
const unknown = "00000000-0000-4000-8000-000000000000";
const one = `/control-planes/${known}`;
const token = "spat_contract";

interface Case {
  answer: string;
  when: string;
  sending: Sending;
  options?: EmulatorOptions;
  arrange?: (emulator: Emulator) => void;
}

const deletes = { method: "DELETE", token };
const script =
  (status: number) =>
  (emulator: Emulator): void =>
    emulator.script({}, { status });
const mayNothing: EmulatorOptions = { tokens: { [token]: { name: "viewer", read: false, delete: false } } };

const ofAll = (operation: string, sending: Sending): Case[] => [
  { answer: `${operation} 401`, when: "there is no token", sending: { ...sending, token: "" } },
  { answer: `${operation} 401`, when: "the token is unknown", sending: { ...sending, token: "spat_other" } },
  { answer: `${operation} 403`, when: "a 403 is scripted", sending, arrange: script(403) },
  { answer: `${operation} 429`, when: "the minute is used up", sending, options: { requestsPerMinute: 0 } },
  { answer: `${operation} 429`, when: "connections are used up", sending, options: { maxConnections: 0 } },
  { answer: `${operation} 429`, when: "a 429 is scripted", sending, arrange: script(429) },
  { answer: `${operation} 500`, when: "a 500 is scripted", sending, arrange: script(500) },
  { answer: `${operation} 503`, when: "a 503 is scripted", sending, arrange: script(503) },
];

const ofOne = (operation: string, sending: Sending): Case[] => [
  ...ofAll(operation, { ...sending, path: one }),
  {
    answer: `${operation} 400`,
    when: "the id is no UUID",
    sending: { ...sending, path: "/control-planes/nope" },
  },
  {
    answer: `${operation} 400`,
    when: "there is a query",
    sending: { ...sending, path: `${one}?force=true` },
  },
  {
    answer: `${operation} 400`,
    when: "the body is JSON",
    sending: { ...sending, path: one, body: '{"force":1}' },
  },
  {
    answer: `${operation} 400`,
    when: "the body is no JSON",
    sending: { ...sending, path: one, body: "force" },
  },
  {
    answer: `${operation} 403`,
    when: "the role may not",
    sending: { ...sending, path: one },
    options: mayNothing,
  },
  {
    answer: `${operation} 404`,
    when: "the id is unknown",
    sending: { ...sending, path: `/control-planes/${unknown}` },
  },
];

const listQueries = [
  "page[size]=0",
  "page[size]=101",
  "page[number]=x",
  "filter[id][eq]=x",
  "labels=",
  "sort=name",
];

const cases: Case[] = [
  ...ofOne("delete-control-plane", deletes),
  { answer: "delete-control-plane 204", when: "it exists", sending: { ...deletes, path: one } },
  ...ofOne("get-control-plane", { token }),
  { answer: "get-control-plane 200", when: "it exists", sending: { token, path: one } },
  ...ofAll("list-control-planes", { token }),
  { answer: "list-control-planes 200", when: "it may be read", sending: { token } },
  { answer: "list-control-planes 200", when: "nothing may be read", sending: { token }, options: mayNothing },
  ...listQueries.map((query) => ({
    answer: "list-control-planes 400",
    when: `the query is ${query}`,
    sending: { token, path: `/control-planes?${query}` },
  })),
  { answer: "any-other-route 501", when: "the path is unknown", sending: { token, path: "/meshes" } },
  {
    answer: "any-other-route 501",
    when: "the method is PATCH",
    sending: { token, path: one, method: "PATCH" },
  },
];

describe("what the emulator answers is what emulator/openapi.yaml describes", () => {
  const exercised = new Set<string>();

  for (const { answer, when, sending, options, arrange } of cases) {
    it(`gives ${answer} when ${when}`, async () => {
      const emulator = await startEmulator({
        tokens: { [token]: { name: "admin" } },
        controlPlanes: [{ id: known, name: "edge", labels: { team: "payments" } }],
        ...options,
      });
      try {
        arrange?.(emulator);
        const received = await send(emulator.baseUrl, sending);
        expect(received.status).to.equal(Number(answer.split(" ")[1]));
        expectDocumented(answer, received);
        exercised.add(answer);
      } finally {
        await emulator.close();
      }
    });
  }

  it("leaves no documented answer out", () => {
    const missing = [...documentedAnswers.keys()].filter((answer) => !exercised.has(answer));
    expect(missing).to.deep.equal([]);
  });
});

describe("the schema of the emulator's problem documents", () => {
  const entries = {
    standard: { field: "name", reason: "cannot be blank", rule: "required", source: "body" },
    minimum: { field: "name", reason: "too short", rule: "min_length", minimum: 2 },
    maximum: { field: "name", reason: "too long", rule: "max_length", maximum: 256 },
    choice: { field: "auth_type", reason: "not allowed", rule: "enum", choices: ["a", "b"] },
    dependent: {
      field: "cloud_gateway",
      reason: "needs another",
      rule: "dependent_fields",
      dependents: null,
    },
  };

  for (const [shape, entry] of Object.entries(entries)) {
    it(`accepts an entry of the ${shape} shape, and no unknown property in it`, () => {
      const validate = schemaNamed("BadRequestProblem");
      expect(validate(problem(400, { invalid_parameters: [entry] })), JSON.stringify(validate.errors)).to.be
        .true;
      expect(validate(problem(400, { invalid_parameters: [{ ...entry, hint: "x" }] }))).to.be.false;
    });
  }

  it("accepts a 400 with a detail alone, as for a usage limit", () => {
    const usageLimit = { invalid_parameters: undefined, detail: "The usage limits are reached." };
    const sent = JSON.parse(JSON.stringify(problem(400, usageLimit))) as unknown;
    expect(schemaNamed("BadRequestProblem")(sent)).to.be.true;
  });

  it("rejects a problem document of another status or with a field of its own", () => {
    expect(schemaNamed("NotFoundProblem")(problem(403))).to.be.false;
    expect(schemaNamed("NotFoundProblem")(problem(404, { hint: "x" }))).to.be.false;
  });
});

function expectDocumented(answer: string, { headers, text }: Received): void {
  const body = documentedBody(answer);
  if (body === undefined) {
    expect(text).to.equal("");
    expect(headers).to.not.have.any.keys("content-type", "content-length", "transfer-encoding");
    return;
  }
  expect(headers["content-type"]?.split(";")[0]).to.equal(body.mediaType);
  expect(body.validate(JSON.parse(text)), JSON.stringify(body.validate.errors)).to.be.true;
}
