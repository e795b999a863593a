import { expect } from "chai";
import {
  isLoopback,
  meantRegion,
  parseAddress,
  regionAddress,
  regionOf,
  urlOf,
} from "../../../../provider/service/http/address.js";
import type { Operation } from "../../../../provider/service/operations/operation.js";

describe("parseAddress", () => {
  const normalized: readonly (readonly [given: string, address: string])[] = [
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
  for (const [given, address] of normalized) {
    it(`normalizes ${given} to ${address}`, () => {
      expect(parseAddress(given)).to.deep.equal({ ok: true, address });
    });
  }

  it("refuses 60,000 colons within a second", () => {
    const startedMs = performance.now();
    expectRefusal(`https${":".repeat(60_000)}hunter2`, /absolute URL/);
    expect(performance.now() - startedMs).to.be.lessThan(1_000);
  });

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
    ["https://@eu.api.konghq.com/v2", /user information/],
    ["https:hunter2@eu.api.konghq.com/v2", /user information/],
    ["https:/hunter2@eu.api.konghq.com/v2", /user information/],
    ["https:///hunter2@eu.api.konghq.com/v2", /user information/],
    ["https://a:hunter2@b", /user information/],
    ["https://a@hunter2@b", /user information/],
    ["https://gateway.example/a@b", /any @/],
    ["https://ci:8443/hunter2@gateway.example.com/konnect", /user information/],
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
  const expectRefusal = (given: string, reason: RegExp): void => {
    const parsed = parseAddress(given);
    if (parsed.ok) throw new Error(`accepted as ${parsed.address}`);
    expect(parsed.reason).to.match(reason);
    expect(parsed.reason).not.to.contain("hunter2");
  };
  for (const [given, reason] of refused) {
    it(`refuses "${given}" and does not repeat it`, () => expectRefusal(given, reason));
  }

  // The URL parser drops or encodes each of them without a word.
  const characters = [
    ["a space", " "],
    ["a tab", "\t"],
    ["a line feed", "\n"],
    ["a carriage return", "\r"],
    ["a no-break space", "\u00a0"],
    ["a line separator", "\u2028"],
    ["a NUL", "\u0000"],
    ["an escape", "\u001b"],
    ["a delete character", "\u007f"],
  ] as const;
  for (const [what, character] of characters) {
    it(`refuses ${what} at the start, at the end and within an address`, () => {
      for (const given of [
        `${character}https://eu.api.konghq.com/v2`,
        `https://eu.api.konghq.com/v2${character}`,
        `https://eu.api.konghq.com/v2${character}/`,
        `https://eu.api.${character}konghq.com/v2`,
        `https:${character}//eu.api.konghq.com/v2`,
      ]) {
        expectRefusal(given, /must not contain white space or a line break/);
      }
    });
  }

  it("refuses a backslash, which the URL parser reads as a slash", () => {
    for (const given of [
      "https:\\\\eu.api.konghq.com",
      "https://eu.api.konghq.com\\v2",
      "https://evil.example\\@eu.api.konghq.com",
    ]) {
      expectRefusal(given, /must not contain a backslash/);
    }
  });

  it("changes nothing when it is applied again", () => {
    for (const [, address] of normalized) expect(parseAddress(address)).to.deep.equal({ ok: true, address });
  });
});

describe("regionAddress", () => {
  for (const region of ["us", "eu", "au", "me", "in", "sg"]) {
    it(`returns https://${region}.api.konghq.com/v2 for ${region}`, () => {
      const address = `https://${region}.api.konghq.com/v2`;
      expect(regionAddress(region)).to.deep.equal({ ok: true, address });
      expect(parseAddress(address)).to.deep.equal({ ok: true, address });
    });
  }

  for (const region of ["", "mars", "evil.example/", "toString", "e u", "eu1"]) {
    it(`refuses "${region}" and lists the regions`, () => {
      expect(regionAddress(region)).to.deep.equal({
        ok: false,
        reason: "must be one of us, eu, au, me, in, sg; for any other address set baseUrl",
      });
    });
  }

  for (const region of ["EU", " eu ", "eu\n", "Eu"]) {
    it(`refuses ${JSON.stringify(region)} and suggests eu`, () => {
      expect(regionAddress(region)).to.deep.equal({
        ok: false,
        reason:
          'must be one of us, eu, au, me, in, sg (did you mean "eu"?); for any other address set baseUrl',
      });
    });
  }
});

describe("meantRegion", () => {
  it("returns the region that a text means", () => expect(meantRegion("SG\t")).to.equal("sg"));

  it("returns undefined for any other text", () => expect(meantRegion("mars")).to.equal(undefined));
});

describe("isLoopback", () => {
  for (const host of ["localhost", "127.0.0.1", "127.255.255.254", "[::1]"]) {
    it(`accepts ${host}`, () => expect(isLoopback(host)).to.equal(true));
  }
  for (const host of ["128.0.0.1", "127.0.0.1.example", "::2", "0.0.0.0", "a127.0.0.1", "mylocalhost"]) {
    it(`refuses ${host}`, () => expect(isLoopback(host)).to.equal(false));
  }
});

describe("regionOf", () => {
  it("returns the region of a normalized address", () => {
    expect(regionOf("https://eu.api.konghq.com/v2")).to.equal("eu");
    expect(regionOf("https://sg.api.konghq.com/v2")).to.equal("sg");
  });

  it("returns undefined for an address that belongs to no region", () => {
    for (const address of [
      "https://eu.api.konghq.com/x/v2",
      "https://xx.api.konghq.com/v2",
      "http://127.0.0.1:1/v2",
    ]) {
      expect(regionOf(address), address).to.equal(undefined);
    }
  });
});

const operation: Operation<string> = {
  name: "list-control-planes",
  method: "GET",
  path: "/control-planes",
  idempotent: true,
  parse: () => ({ kind: "result", result: "a list" }),
};

describe("urlOf", () => {
  it("joins the address and the path", () => {
    expect(urlOf(operation, "https://eu.api.konghq.com/v2")).to.equal(
      "https://eu.api.konghq.com/v2/control-planes",
    );
  });

  it("encodes the query", () => {
    const query = { "page[size]": "100", "filter[name]": "a&b=c d" };
    expect(urlOf({ ...operation, query }, "https://eu.api.konghq.com/v2")).to.equal(
      "https://eu.api.konghq.com/v2/control-planes?page%5Bsize%5D=100&filter%5Bname%5D=a%26b%3Dc+d",
    );
  });

  it("adds nothing for an empty query", () => {
    expect(urlOf({ ...operation, query: {} }, "http://localhost/v2")).to.equal(
      "http://localhost/v2/control-planes",
    );
  });
});
