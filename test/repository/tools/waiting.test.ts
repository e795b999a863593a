import { expect } from "chai";
import { waitFor, waitForOutput } from "../../../tools/waiting.js";

const failureOf = (wait: Promise<unknown>): Promise<string> =>
  wait.then(
    () => expect.fail("the wait did not fail"),
    (error: unknown) => (error as Error).message,
  );

describe("a wait", () => {
  it("ends with what the condition returns", async () => {
    let looks = 0;
    const third = () => (++looks === 3 ? "found" : undefined);
    expect(await waitFor(third, { what: "the third look", everyMs: 1 })).to.equal("found");
    expect(looks).to.equal(3);
  });

  it("takes a condition that answers later", async () => {
    expect(await waitFor(() => Promise.resolve(7), { what: "seven" })).to.equal(7);
  });

  it("fails when its time is up, and says for what and for how long it waited, and what is there so far", async () => {
    const startedMs = performance.now();
    const wait = waitFor(() => false, { what: "the moon", timeoutMs: 300, soFar: () => "only clouds" });
    expect(await failureOf(wait)).to.equal(
      "timed out after 0.3 s, waiting for the moon; so far:\nonly clouds",
    );
    expect(performance.now() - startedMs).to.be.within(290, 2_000);
  });

  it("fails at once when the condition does", async () => {
    const broken = () => {
      throw new Error("no telescope");
    };
    expect(await failureOf(waitFor(broken, { what: "the moon" }))).to.equal("no telescope");
  });
});

describe("a wait for output", () => {
  it("ends when the text is there, or something that matches the pattern, also after the command's end", async () => {
    await waitForOutput({ output: "a 503, retry 2", hasEnded: () => false }, "503");
    await waitForOutput({ output: "a 503, retry 2", hasEnded: () => true }, /retry \d/);
  });

  it("fails when its time is up, with what was printed", async () => {
    const silent = { output: "begun\n", hasEnded: () => false };
    expect(await failureOf(waitForOutput(silent, /retry/, 50))).to.equal(
      "timed out after 0.05 s, waiting for the output /retry/; so far:\nbegun\n",
    );
  });

  it("fails at once when the command has ended without it", async () => {
    const ended = { output: "error\n", hasEnded: () => true };
    expect(await failureOf(waitForOutput(ended, "retry"))).to.equal(
      'the command ended without the output "retry"; it printed:\nerror\n',
    );
  });
});
