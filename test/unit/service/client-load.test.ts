import { expect } from "chai";
import { deleted, ref, reply } from "./answers.js";
import { FakeService } from "./fake-service.js";

describe("the client of a service", () => {
  it("knows how many calls each address takes at the moment", async () => {
    const service = new FakeService([reply(429), deleted], 32);
    const client = service.client();
    expect(client.callsAtATime(ref.address)).to.equal(8);
    await client.deleteControlPlane(ref, service.scope);
    expect(client.callsAtATime(ref.address)).to.equal(4);
    expect(client.callsAtATime("https://us.api.konghq.com/v2")).to.equal(8);
  });
});
