import { expect } from "chai";
import { type Emulator, startEmulator } from "../../../../emulator/index.js";
import { createTransport } from "../../../../provider/service/http/transport.js";
import { ref } from "../../../pure/service/answers.js";
import { SECRET } from "../../../pure/service/fake-service.js";
import { withoutProxies } from "./process-network.js";
import { noStop, requestTo } from "./sending.js";

const { id } = ref;

describe("a redirect", () => {
  let service: Emulator;
  let elsewhere: Emulator;
  const send = createTransport(1, "test");

  withoutProxies();
  before(async () => {
    const options = { tokens: { [SECRET]: { name: "sa-ci" } }, controlPlanes: [{ id, name: "edge" }] };
    service = await startEmulator(options);
    elsewhere = await startEmulator({ ...options, host: "::1" });
  });
  beforeEach(() => service.reset());
  after(() => Promise.all([service.close(), elsewhere.close()]));

  const places: readonly (readonly [where: string, location: () => string])[] = [
    ["the same address", () => `${service.baseUrl}/control-planes/${id}`],
    ["another path", () => `/v2/control-planes/${id}`],
    ["another host", () => `${elsewhere.baseUrl}/control-planes/${id}`],
    ["another host without a scheme", () => elsewhere.baseUrl.replace("http:", "")],
    ["something that is not an address", () => "http://["],
  ];
  for (const status of [300, 301, 302, 303, 307, 308]) {
    for (const [where, location] of places) {
      it(`with ${status} to ${where} is returned and not followed`, async () => {
        service.script({}, { status, headers: { location: location() }, times: 2 });
        for (const method of ["DELETE", "GET"] as const) {
          const answer = await send(requestTo(service.baseUrl, { method }), noStop);
          expect(answer).to.include({ kind: "reply", delivery: "answered", status });
        }
        expect(service.requests.map(({ method }) => method)).to.deep.equal(["DELETE", "GET"]);
        expect(elsewhere.requests).to.have.length(0);
        expect(service.controlPlanes.has(id)).to.equal(true);
      });
    }
  }
});
