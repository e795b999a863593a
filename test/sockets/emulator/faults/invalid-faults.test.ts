import { expect } from "chai";
import type { Fault } from "../../../../emulator/index.js";
import { RunningEmulator } from "../running-emulator.js";

describe("a fault of the emulator that is not valid", () => {
  const running = new RunningEmulator();
  const WAIT = "a number of milliseconds from 0 to 2147483647";
  const noAnswer = "sends no HTTP answer, so it allows no status, body or headers";

  const invalid: readonly (readonly [fault: Fault, message: string])[] = [
    [{ hang: true, raw: "x" }, "hang and raw exclude each other"],
    [{ drip: { bytes: 1, everyMs: 1 }, reset: "body" }, 'drip and reset "body" exclude each other'],
    [{ reset: "after", status: 500 }, `reset "after" ${noAnswer}`],
    [{ reset: "before", headers: { a: "1" } }, `reset "before" ${noAnswer}`],
    [{ hang: true, status: 500 }, `hang ${noAnswer}`],
    [{ raw: "", body: "x" }, `raw ${noAnswer}`],
    [{ status: 204, body: "x" }, "status 204 allows no body; to send one all the same, use raw"],
    [
      { status: 304, drip: { bytes: 1, everyMs: 1 } },
      "status 304 allows no body; to send one all the same, use raw",
    ],
    [{ status: 99 }, "status must be a whole number from 200 to 599, not 99"],
    [{ status: 600 }, "status must be a whole number from 200 to 599, not 600"],
    [{ status: 404.5 }, "status must be a whole number from 200 to 599, not 404.5"],
    [{ status: 503, times: 0 }, "times must be a whole number from 1, or Infinity, not 0"],
    [{ times: 1.5 }, "times must be a whole number from 1, or Infinity, not 1.5"],
    [{ delayMs: -1 }, `delayMs must be ${WAIT}, not -1`],
    [{ delayMs: 2_147_483_648 }, `delayMs must be ${WAIT}, not 2147483648`],
    [{ delayMs: NaN }, `delayMs must be ${WAIT}, not NaN`],
    [{ drip: { bytes: 0, everyMs: 1 } }, "drip.bytes must be a whole number from 1, not 0"],
    [{ drip: { bytes: 1, everyMs: -1 } }, `drip.everyMs must be ${WAIT}, not -1`],
    [{ status: 202, work: { afterMs: -1 } }, `work.afterMs must be ${WAIT}, not -1`],
    [{ status: 202, work: { afterGets: 0 } }, "work.afterGets must be a whole number from 1, not 0"],
    [
      { delayMs: 1, work: { afterGets: 1 } },
      "work cannot be put off while the real answer is sent; add status, body, drip, hang or raw",
    ],
    [
      { reset: "body", work: { afterMs: 1 } },
      "work cannot be put off while the real answer is sent; add status, body, drip, hang or raw",
    ],
    [{ reset: "before", work: "now" }, 'reset "before" says when the work is done, so it allows no work'],
    [
      { reset: "after", work: { afterMs: 1 } },
      'reset "after" says when the work is done, so it allows no work',
    ],
    [{ status: 500, headers: { "x y": "1" } }, 'headers: Header name must be a valid HTTP token ["x y"]'],
    [{ headers: { x: "a\nb" } }, 'headers: Invalid character in header content ["x"]'],
  ];
  for (const [fault, message] of invalid) {
    it(`is rejected where it is scripted with: ${message}`, async () => {
      expect(() => running.emulator.script({}, { status: 500 }, fault)).to.throw(
        Error,
        new RegExp(`^fault 2: ${message.replace(/[[\]().]/g, "\\$&")}$`),
      );
      expect(running.emulator.pendingFaults).to.equal(0);
      expect((await running.delete()).status).to.equal(204);
    });
  }
});
