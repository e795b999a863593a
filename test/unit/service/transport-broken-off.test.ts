import { expect } from "chai";
import { startEmulator, type Emulator } from "../../../emulator/index.js";
import type { Answer } from "../../../provider/service/answer.js";
import { Token } from "../../../provider/service/token.js";
import { createTransport, type Request } from "../../../provider/service/transport.js";
import { target } from "./answers.js";
import { SECRET } from "./fake-effects.js";

describe("an answer whose body breaks off", () => {
  let emulator: Emulator;
  const { id } = target;
  const send = createTransport(4, "the-agent/1.2.3");

  const ask = async (method: Request["method"], status: number): Promise<Answer> => {
    emulator.script({ method, id }, { status, body: "x".repeat(100), reset: "body" });
    const token = new Token(SECRET, "KONNECT_SPAT");
    const request = { method, target: { id, address: emulator.baseUrl }, token, timeoutMs: 5_000 };
    return send(request, new AbortController().signal);
  };

  before(async () => {
    emulator = await startEmulator({ tokens: { [SECRET]: { name: "sa-ci" } } });
  });
  after(() => emulator.close());

  for (const [method, status] of [
    ["DELETE", 200],
    ["DELETE", 404],
    ["GET", 300],
    ["GET", 404],
    ["GET", 503],
  ] as const) {
    it(`keeps its status, which says enough: ${status} to a ${method}`, async () => {
      expect(await ask(method, status)).to.include({ kind: "reply", status, complete: false });
    });
  }

  it("is no answer to a read that went well: what was to be read is missing", async () => {
    expect(await ask("GET", 200)).to.deep.equal({
      kind: "no reply",
      cause: "connection reset",
      detail: "the body broke off",
    });
  });
});
