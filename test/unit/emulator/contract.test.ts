import { expect } from "chai";
import { problem, startEmulator, type EmulatorOptions, type Fault } from "../../../emulator/index.js";
import { LIST_OPERATIONS } from "../../../emulator/control-planes/entity-kind.js";
import { ROUTES } from "../../../emulator/operations/routes.js";
import {
  documentedAnswers,
  documentedBody,
  documentedListParameters,
  documentedRoutes,
  schemaNamed,
} from "./openapi-document.js";
import { send, type Received, type Sending } from "./send-request.js";

const known = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
const unknown = "00000000-0000-4000-8000-000000000000";
const one = `/control-planes/${known}`;
const token = "spat_contract";

/** A request that makes the emulator send a described answer. Every request has the token unless it says otherwise. */
interface Case {
  /** An operation identifier and a status. */
  readonly answer: string;
  readonly when: string;
  readonly sending: Sending;
  readonly options?: EmulatorOptions;
  readonly script?: Fault;
}

const forbidding: EmulatorOptions = { tokens: { [token]: { name: "viewer", read: false, delete: false } } };

const ofAll = (operation: string, sending: Sending): Case[] => [
  {
    answer: `${operation} 401`,
    when: "the request has no token",
    sending: { ...sending, token: undefined },
  },
  { answer: `${operation} 401`, when: "the token is unknown", sending: { ...sending, token: "spat_other" } },
  {
    answer: `${operation} 429`,
    when: "the requests of a minute are used up",
    sending,
    options: { requestsPerMinute: 0 },
  },
  {
    answer: `${operation} 429`,
    when: "the connections are used up",
    sending,
    options: { maxConnections: 0 },
  },
  ...[403, 429, 500, 503].map((status) => ({
    answer: `${operation} ${status}`,
    when: "a fault scripts the status",
    sending,
    script: { status },
  })),
];

const ofOne = (operation: string, method: string, part = ""): Case[] => [
  ...ofAll(operation, { method, path: `${one}${part}` }),
  {
    answer: `${operation} 400`,
    when: "the id is not a UUID",
    sending: { method, path: `/control-planes/nope${part}` },
  },
  {
    answer: `${operation} 400`,
    when: "the query is unknown",
    sending: { method, path: `${one}${part}?force=true` },
  },
  {
    answer: `${operation} 400`,
    when: "the request has a JSON body",
    sending: { method, path: `${one}${part}`, body: '{"force":1}' },
  },
  {
    answer: `${operation} 400`,
    when: "the request has a body that is not JSON",
    sending: { method, path: `${one}${part}`, body: "force" },
  },
  {
    answer: `${operation} 403`,
    when: "the role does not allow it",
    sending: { method, path: `${one}${part}` },
    options: forbidding,
  },
  {
    answer: `${operation} 404`,
    when: "the control plane does not exist",
    sending: { method, path: `/control-planes/${unknown}${part}` },
  },
];

const full: EmulatorOptions = {
  controlPlanes: [
    {
      id: known,
      name: "edge",
      createdAt: "2026-01-05T10:00:00+02:00",
      clusterType: "CLUSTER_TYPE_SERVERLESS_V1",
      cloudGateway: true,
      nodes: [
        { hostname: "dp-1", lastPingSecondsAgo: 30 },
        { hostname: "dp-2", lastPingSecondsAgo: 86_400, type: "ingress-controller", version: "3.4.0" },
      ],
      entities: { services: 2, routes: 2, plugins: 2, consumers: 2, upstreams: 2, certificates: 2 },
    },
  ],
};

const ofPart = (operation: string, part: string, size: string, cursor: string): Case[] => [
  ...ofOne(operation, "GET", part),
  ...[`${size}=0`, `${size}=1001`, `${size}=x`, `${cursor}=x`, `${size}=1&${size}=1`].map((query) => ({
    answer: `${operation} 400`,
    when: `the query is ${query}`,
    sending: { path: `${one}${part}?${query}` },
  })),
  { answer: `${operation} 200`, when: "the list is empty", sending: { path: `${one}${part}` } },
  {
    answer: `${operation} 200`,
    when: "one page is enough",
    sending: { path: `${one}${part}` },
    options: full,
  },
  {
    answer: `${operation} 200`,
    when: "a page follows",
    sending: { path: `${one}${part}?${size}=1` },
    options: full,
  },
];

const cases: Case[] = [
  ...ofOne("delete-control-plane", "DELETE"),
  {
    answer: "delete-control-plane 204",
    when: "the control plane exists",
    sending: { method: "DELETE", path: one },
  },
  ...ofOne("get-control-plane", "GET"),
  { answer: "get-control-plane 200", when: "the control plane exists", sending: { path: one } },
  ...ofAll("list-control-planes", {}),
  { answer: "list-control-planes 200", when: "the role may read", sending: {} },
  ...["", "?sort=created_at%20desc&filter[cloud_gateway]=true"].map((query) => ({
    answer: "list-control-planes 200",
    when: `a control plane has all that a seed describes and the query is "${query}"`,
    sending: { path: `/control-planes${query}` },
    options: full,
  })),
  {
    answer: "list-control-planes 200",
    when: "the role may read nothing",
    sending: {},
    options: forbidding,
  },
  ...[
    "page[size]=0",
    "page[size]=101",
    "page[number]=x",
    "filter[id][eq]=x",
    "filter[id][oeq]=x",
    "filter[cluster_type][eq]=x",
    "filter[cluster_type][oeq]=x",
    "filter[cloud_gateway]=x",
    "filter[name][eq]=a&filter[name][neq]=b",
    "labels=",
    "sort=name",
    "page[size]=1&page[size]=2",
  ].map((query) => ({
    answer: "list-control-planes 400",
    when: `the query is ${query}`,
    sending: { path: `/control-planes?${query}` },
  })),
  {
    answer: "list-control-planes 400",
    when: "the request has a body",
    sending: { body: "{}" },
  },
  ...ofPart("list-dataplane-nodes", "/nodes", "page[size]", "page[after]"),
  ...Object.entries(LIST_OPERATIONS).flatMap(([kind, operation]) =>
    ofPart(operation, `/core-entities/${kind}`, "size", "offset"),
  ),
  { answer: "any-other-route 501", when: "the path is unknown", sending: { path: "/meshes" } },
  { answer: "any-other-route 501", when: "the method is PATCH", sending: { method: "PATCH", path: one } },
];

describe("the emulator, compared with emulator/openapi.yaml,", () => {
  const exercised = new Set<string>();

  for (const { answer, when, sending, options, script } of cases) {
    it(`sends ${answer} as described when ${when}`, async () => {
      const emulator = await startEmulator({
        tokens: { [token]: { name: "admin" } },
        controlPlanes: [{ id: known, name: "edge", labels: { team: "payments" } }],
        ...options,
      });
      try {
        if (script !== undefined) emulator.script({}, script);
        const received = await send(emulator.baseUrl, { token, ...sending });
        expect(received.status).to.equal(Number(answer.split(" ")[1]));
        expectDocumented(answer, received);
        exercised.add(answer);
      } finally {
        await emulator.close();
      }
    });
  }

  it("has sent every described answer in one of these tests", () => {
    const missing = [...documentedAnswers.keys()].filter((answer) => !exercised.has(answer));
    expect(missing).to.deep.equal([]);
  });

  for (const name of documentedListParameters) {
    it(`knows the described parameter ${name} of the list`, async () => {
      const emulator = await startEmulator({ tokens: { [token]: { name: "admin" } } });
      try {
        const { text } = await send(emulator.baseUrl, { token, path: `/control-planes?${name}=` });
        expect(text).to.not.contain("should not exist");
      } finally {
        await emulator.close();
      }
    });
  }

  it("serves the described operations and no others", () => {
    const served = ROUTES.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`);
    expect(served).to.have.members(documentedRoutes);
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
    it(`accepts an entry of the ${shape} shape, and rejects an unknown property in it`, () => {
      const validate = schemaNamed("BadRequestProblem");
      expect(validate(problem(400, { invalid_parameters: [entry] })), JSON.stringify(validate.errors)).to.be
        .true;
      expect(validate(problem(400, { invalid_parameters: [{ ...entry, hint: "x" }] }))).to.be.false;
    });
  }

  it("accepts a 400 that has only a detail, as for a usage limit", () => {
    const usageLimit = { invalid_parameters: undefined, detail: "The usage limit is reached." };
    const sent = JSON.parse(JSON.stringify(problem(400, usageLimit))) as unknown;
    expect(schemaNamed("BadRequestProblem")(sent)).to.be.true;
  });

  it("rejects a problem document with another status or an unknown field", () => {
    expect(schemaNamed("NotFoundProblem")(problem(403))).to.be.false;
    expect(schemaNamed("NotFoundProblem")(problem(404, { hint: "x" }))).to.be.false;
  });
});

describe("a problem document of the emulator", () => {
  it("gets the words of HTTP for a status that the service does not document", () => {
    const { instance, ...document } = problem(418);
    expect(document).to.deep.equal({ status: 418, title: "I'm a Teapot", detail: "I'm a Teapot." });
    expect(instance).to.match(/^konnect:trace:\d{19}$/);
  });

  it("loses a field that is overridden with undefined when it is sent", () => {
    const sent = JSON.parse(JSON.stringify(problem(404, { instance: undefined, detail: 7 }))) as object;
    expect(sent).to.deep.equal({
      status: 404,
      title: "Not Found",
      type: "https://kongapi.info/konnect/not-found",
      detail: 7,
    });
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
