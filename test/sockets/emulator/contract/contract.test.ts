import { expect } from "chai";
import { problem, startEmulator } from "../../../../emulator/index.js";
import { CONTROL_ROUTES } from "../../../../emulator/control/control-routes.js";
import { ROUTES } from "../../../../emulator/operations/routes.js";
import { CASES } from "./contract-cases.js";
import { known, token } from "./contract-scene.js";
import {
  documentedAnswers,
  documentedBody,
  documentedListParameters,
  documentedRoutes,
  schemaNamed,
} from "./openapi-document.js";
import { send, type Received } from "../send-request.js";

describe("the emulator, compared with emulator/openapi.yaml,", () => {
  const exercised = new Set<string>();

  for (const { answer, when, sending, options, script } of CASES) {
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
    const control = CONTROL_ROUTES.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`);
    expect([...served, ...control]).to.have.members(documentedRoutes);
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
