import { expect } from "chai";
import { type EmulatorOptions, startEmulator } from "../../../../emulator/index.js";
import { ROUTES } from "../../../../emulator/operations/routes.js";
import { type Received, send } from "../send-request.js";
import { CASES } from "./contract-cases.js";
import { type Case, known, token } from "./contract-scene.js";
import { described, entityValidator, publicAnswer } from "./public-api.js";

const OPERATIONS = ROUTES.map(({ operationId }) => operationId);

/** The cases of the operations that the public API has. */
const PUBLIC = CASES.flatMap((each) => {
  const [operation = "", status] = each.answer.split(" ");
  return OPERATIONS.some((known) => known === operation)
    ? [{ ...each, operation, status: Number(status) }]
    : [];
});

async function sendTo({ options, script, sending }: Case, more: EmulatorOptions): Promise<Received> {
  const emulator = await startEmulator({
    tokens: { [token]: { name: "admin" } },
    controlPlanes: [{ id: known, name: "edge", labels: { team: "payments" } }],
    ...options,
    ...more,
  });
  try {
    if (script !== undefined) emulator.script({}, script);
    return await send(emulator.baseUrl, { token, ...sending });
  } finally {
    await emulator.close();
  }
}

for (const lenient of [false, true]) {
  describe(`the ${lenient ? "lenient" : "strict"} emulator, compared with the public API,`, () => {
    for (const each of PUBLIC) {
      const { operation, status, when } = each;
      it(`sends ${operation} ${status} as the public API does, or for a known reason, when ${when}`, async () => {
        const received = await sendTo(each, { lenient });
        expect(received.status).to.equal(status);
        expectPublic(operation, received);
      });
    }
  });
}

function expectPublic(operation: string, { status, headers, text }: Received): void {
  const answer = publicAnswer(operation, status);
  switch (answer.kind) {
    case "beyond":
      expect(answer.because, `${operation} ${status} is not in the public API`).to.be.a("string");
      return;
    case "no body":
      expect(text).to.equal("");
      return;
    case "body": {
      expect(headers["content-type"]?.split(";")[0]).to.equal(answer.mediaType);
      const body = JSON.parse(text) as { readonly data?: readonly unknown[] };
      expect(answer.validate(body), JSON.stringify(answer.validate.errors)).to.equal(true);
      const validate = entityValidator(operation);
      if (status !== 200 || validate === undefined) return;
      for (const entity of body.data ?? []) {
        expect(validate(entity), JSON.stringify(validate.errors)).to.equal(true);
      }
    }
  }
}

describe("the description of the public API", () => {
  it("describes every operation of the emulator, and no other", () => {
    const operations = [...Object.keys(described.operations), ...Object.keys(described.entities)];
    expect([...new Set(operations)]).to.have.members(OPERATIONS);
  });

  it("names a document and a schema for everything that it describes", () => {
    const documents = Object.keys(described.documents);
    const all = [described.operations, described.entities, described.schemas].flatMap(Object.entries<object>);
    for (const [name, part] of all) {
      const source = "x-source" in part ? String(part["x-source"]) : "";
      expect(documents, `the source of ${name}`).to.include(source.split(" ")[0]);
      expect(source, name).to.match(/^\S+ \S/);
    }
  });

  it("needs each of its reasons for what the public API does not have", () => {
    const sent = PUBLIC.flatMap(({ operation, status }) => {
      const answer = publicAnswer(operation, status);
      return answer.kind === "beyond" ? [answer.because] : [];
    });
    expect(described.beyond.map(({ because }) => because)).to.satisfy((reasons: readonly string[]) =>
      reasons.every((reason) => sent.includes(reason)),
    );
  });

  it("refuses a 500 of a read without a detail, and accepts that of a deletion", () => {
    const document = { status: 500, title: "Internal Server Error", instance: "konnect:trace:1" };
    const accepts = (operation: string) => {
      const answer = publicAnswer(operation, 500);
      return answer.kind === "body" && answer.validate(document);
    };
    expect([accepts("get-control-plane"), accepts("delete-control-plane")]).to.deep.equal([false, true]);
  });
});
