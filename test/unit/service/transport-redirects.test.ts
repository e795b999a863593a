import { expect } from "chai";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { Token } from "../../../provider/service/token.js";
import { createTransport } from "../../../provider/service/transport.js";
import { target } from "./answers.js";
import { SECRET } from "./fake-effects.js";

const { id } = target;

describe("a redirect", () => {
  let service: Emulator;
  let elsewhere: Emulator;
  const send = createTransport(1, "test");

  before(async () => {
    const options = { tokens: { [SECRET]: { name: "sa-ci" } }, controlPlanes: [{ id, name: "edge" }] };
    service = await startEmulator(options);
    elsewhere = await startEmulator({ ...options, host: "::1" });
  });
  beforeEach(() => service.reset());
  after(() => Promise.all([service.close(), elsewhere.close()]));

  const places: readonly (readonly [what: string, location: () => string])[] = [
    ["the same address", () => `${service.baseUrl}/control-planes/${id}`],
    ["another path", () => `/v2/control-planes/${id}`],
    ["another host", () => `${elsewhere.baseUrl}/control-planes/${id}`],
    ["another host without a scheme", () => elsewhere.baseUrl.replace("http:", "")],
    ["what is no address", () => "http://["],
  ];
  for (const status of [300, 301, 302, 303, 307, 308]) {
    for (const [what, location] of places) {
      it(`with ${status} to ${what} is an answer, and not followed`, async () => {
        service.script({}, { status, headers: { location: location() }, times: 2 });
        for (const method of ["DELETE", "GET"] as const) {
          const request = { method, target: { id, address: service.baseUrl }, timeoutMs: 5_000 };
          const token = new Token(SECRET, "KONNECT_SPAT");
          const answer = await send({ ...request, token }, new AbortController().signal);
          expect(answer).to.include({ kind: "reply", status });
        }
        expect(service.requests.map(({ method }) => method)).to.deep.equal(["DELETE", "GET"]);
        expect(elsewhere.requests).to.have.length(0);
        expect(service.controlPlanes.has(id)).to.equal(true);
      });
    }
  }
});
