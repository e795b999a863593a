import { expect } from "chai";
import { gone, noReply, problemReply, ref } from "../answers.js";
import { FakeService, type Step } from "../fake-service.js";
import { failedRead, lines, TOKEN } from "./failed-calls.js";

const ID = ref.id;

async function messageFor(purpose: "adopt" | "read" | "look up", ...steps: readonly Step[]): Promise<string> {
  return (await failedRead(new FakeService(steps), purpose, { ...ref, name: "edge" })).message;
}

describe("the message of a failed read", () => {
  const which = `control plane "edge" (${ID})`;
  const facts = [
    `  request   GET https://eu.api.konghq.com/v2/control-planes/${ID}`,
    "  trace     konnect:trace:403",
    "  attempts  1 in 0.0 s",
    TOKEN,
    "  next      give the system account a role that may read this control plane, then run again",
  ];

  for (const [purpose, outcome] of [
    ["adopt", "was not adopted"],
    ["read", "could not be read"],
    ["look up", "could not be read"],
  ] as const) {
    it(`says "${outcome}" and asks for a role that may read (${purpose})`, async () => {
      expect(await messageFor(purpose, problemReply(403, "Permission denied"))).to.equal(
        lines(`403 Permission denied: ${which} ${outcome}`, "", ...facts),
      );
    });

    it(`says "${outcome}" also when an earlier answer was lost (${purpose})`, async () => {
      const [headline] = (await messageFor(purpose, noReply("timed out"), problemReply(500, "Error"))).split(
        "\n",
      );
      expect(headline).to.equal(`500 Error after 2 attempts: ${which} ${outcome}`);
    });
  }

  for (const [purpose, outcome] of [
    ["adopt", "was not adopted"],
    ["look up", "was not found"],
  ] as const) {
    it(`says for the service's own 404 that a token of another organization gets the same (${purpose})`, async () => {
      expect(await messageFor(purpose, gone)).to.equal(
        lines(
          `404 Not Found: ${which} ${outcome}`,
          "  The control plane does not exist.",
          "",
          facts[0] ?? "",
          "  trace     konnect:trace:404",
          "  attempts  1 in 0.0 s",
          TOKEN,
          "  next      correct the id or the address; a token of another organization gets the same answer",
        ),
      );
    });
  }
});
