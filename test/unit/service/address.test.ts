import { expect } from "chai";
import { isLoopback, parseAddress, regionAddress } from "../../../provider/service/address.js";

describe("a base address", () => {
  const normalised: readonly (readonly [given: string, address: string])[] = [
    ["https://eu.api.konghq.com", "https://eu.api.konghq.com/v2"],
    ["https://eu.api.konghq.com/", "https://eu.api.konghq.com/v2"],
    ["https://eu.api.konghq.com/v2", "https://eu.api.konghq.com/v2"],
    ["https://eu.api.konghq.com/v2/", "https://eu.api.konghq.com/v2"],
    ["https://eu.api.konghq.com/v2///", "https://eu.api.konghq.com/v2"],
    ["https://gateway.example/konnect", "https://gateway.example/konnect/v2"],
    ["https://gateway.example/konnect/v2/", "https://gateway.example/konnect/v2"],
    ["https://gateway.example/notv2", "https://gateway.example/notv2/v2"],
    ["HTTPS://EU.API.KongHQ.com/v2", "https://eu.api.konghq.com/v2"],
    ["https://eu.api.konghq.com:443/v2", "https://eu.api.konghq.com/v2"],
    ["https://gateway.example:8443", "https://gateway.example:8443/v2"],
    ["http://localhost:8787", "http://localhost:8787/v2"],
    ["http://127.0.0.1:8787/v2", "http://127.0.0.1:8787/v2"],
    ["http://127.1.2.3", "http://127.1.2.3/v2"],
    ["http://[::1]:8787/v2/", "http://[::1]:8787/v2"],
  ];
  for (const [given, address] of normalised) {
    it(`reads ${given} as ${address}`, () => {
      expect(parseAddress(given)).to.deep.equal({ ok: true, address });
    });
  }

  const refused: readonly (readonly [given: string, reason: RegExp])[] = [
    ["http://eu.api.konghq.com/v2", /must start with https/],
    ["http://127.evil.example/v2", /must start with https/],
    ["http://localhost.evil.example/v2", /must start with https/],
    ["http://[::2]/v2", /must start with https/],
    ["ftp://eu.api.konghq.com/v2", /must start with https/],
    ["ftp://localhost/v2", /must start with https/],
    ["ws://127.0.0.1/v2", /must start with https/],
    ["file:///etc/passwd", /must start with https/],
    ["https://user:hunter2@eu.api.konghq.com/v2", /user information/],
    ["https://hunter2@eu.api.konghq.com/v2", /user information/],
    ["https://:hunter2@eu.api.konghq.com/v2", /user information/],
    ["https://eu.api.konghq.com/v2?key=hunter2", /query or a fragment/],
    ["https://eu.api.konghq.com/?", /query or a fragment/],
    ["https://eu.api.konghq.com/v2#hunter2", /query or a fragment/],
    ["https://eu.api.konghq.com/#", /query or a fragment/],
    ["eu.api.konghq.com/hunter2", /absolute URL/],
    ["", /absolute URL/],
    ["/v2", /absolute URL/],
    ["https://", /absolute URL/],
    ["https://eu.api.konghq.com:hunter2/", /absolute URL/],
  ];
  for (const [given, reason] of refused) {
    it(`refuses "${given}" and does not repeat it`, () => {
      const reading = parseAddress(given);
      if (reading.ok) throw new Error(`taken as ${reading.address}`);
      expect(reading.reason).to.match(reason);
      expect(reading.reason).not.to.contain("hunter2");
    });
  }

  it("stays the same when it is normalised again", () => {
    for (const [, address] of normalised) expect(parseAddress(address)).to.deep.equal({ ok: true, address });
  });
});

describe("a region", () => {
  for (const region of ["us", "eu", "au", "me", "in", "sg"]) {
    it(`stands for the address https://${region}.api.konghq.com/v2`, () => {
      const address = `https://${region}.api.konghq.com/v2`;
      expect(regionAddress(region)).to.deep.equal({ ok: true, address });
      expect(parseAddress(address)).to.deep.equal({ ok: true, address });
    });
  }

  for (const region of ["EU", "eu ", "", "mars", "evil.example/", "toString"]) {
    it(`is not "${region}"`, () => {
      const reading = regionAddress(region);
      expect(reading.ok).to.equal(false);
      expect(reading).to.have.property("reason").that.contains("us, eu, au, me, in, sg");
    });
  }
});

describe("loopback", () => {
  for (const host of ["localhost", "127.0.0.1", "127.255.255.254", "[::1]"]) {
    it(`is ${host}`, () => expect(isLoopback(host)).to.equal(true));
  }
  for (const host of ["128.0.0.1", "127.0.0.1.example", "::2", "0.0.0.0", "a127.0.0.1", "mylocalhost"]) {
    it(`is not ${host}`, () => expect(isLoopback(host)).to.equal(false));
  }
});
