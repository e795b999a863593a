import { expect } from "chai";
import { isQuoteOf, type Messages, readRunbook } from "../../runbook-page.js";
import { lookUpScene } from "../../sockets/lookups/look-up-scene.js";
import { ANSWER_MESSAGES } from "./answer-messages.js";
import { COMMAND_MESSAGES } from "./command-messages.js";
import { CONNECTION_MESSAGES, RUN_MESSAGES } from "./connection-messages.js";
import { GUARD_MESSAGES, SET_MESSAGES } from "./guard-messages.js";
import { LOOKED_UP, lookUpMessages, PROGRAM_MESSAGES } from "./program-messages.js";
import { SETTING_MESSAGES } from "./setting-messages.js";

describe("the runbook", () => {
  const scene = lookUpScene(LOOKED_UP);
  const messages: Messages = {
    ...ANSWER_MESSAGES,
    ...CONNECTION_MESSAGES,
    ...RUN_MESSAGES,
    ...GUARD_MESSAGES,
    ...SET_MESSAGES,
    ...SETTING_MESSAGES,
    ...PROGRAM_MESSAGES,
    ...lookUpMessages(scene),
    ...COMMAND_MESSAGES,
  };
  const symptoms = new Map(readRunbook("this package").map(({ heading, quotes }) => [heading, quotes]));

  it("has a symptom for each message, and a message for each symptom", () => {
    expect([...symptoms.keys()].sort()).to.deep.equal(Object.keys(messages).sort());
  });

  for (const [heading, producers] of Object.entries(messages)) {
    it(`quotes what the code says: ${heading}`, async () => {
      const quotes = symptoms.get(heading) ?? [];
      expect(quotes, "quotes of the page").to.have.length(producers.length);
      for (const [at, produce] of producers.entries()) {
        const text = await produce();
        expect(isQuoteOf(quotes[at] ?? "", text), `is quoted:\n${quotes[at]}\nis said:\n${text}`).to.equal(
          true,
        );
      }
    });
  }
});
