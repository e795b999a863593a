import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { withWorkers } from "../../../../provider/hooks/set/delete-set.js";
import { errorOf } from "../fake-context.js";

/** A promise, and the functions that settle it. */
function deferred() {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((whenDone, whenFailed) => {
    resolve = whenDone;
    reject = whenFailed;
  });
  return { promise, resolve, reject };
}

/** Starts workers on jobs that a test settles, two at a time. */
function twoAtATime(jobs: number) {
  const works = Array.from({ length: jobs }, deferred);
  const begun: number[] = [];
  const end = withWorkers(
    works,
    () => 2,
    (work, index) => {
      begun.push(index);
      return work.promise;
    },
  );
  return { works, begun, end };
}

describe("work with a bounded number of items at a time", () => {
  it("begins items in their order, one for each that has ended", async () => {
    const { works, begun, end } = twoAtATime(4);
    expect(begun).to.deep.equal([0, 1]);
    works[1]?.resolve();
    await setImmediate();
    expect(begun).to.deep.equal([0, 1, 2]);
    for (const { resolve } of works) resolve();
    await end;
    expect(begun).to.deep.equal([0, 1, 2, 3]);
  });

  it("begins another item when one leaves its place, and awaits the one that has left", async () => {
    const waits = deferred();
    const begun: number[] = [];
    const end = withWorkers(
      [0, 1, 2],
      () => 1,
      (item, _index, leave) => {
        begun.push(item);
        if (item > 0) return Promise.resolve();
        leave();
        return waits.promise;
      },
    );
    let hasEnded = false;
    void end.then(() => (hasEnded = true));
    await setImmediate();
    expect([begun, hasEnded]).to.deep.equal([[0, 1, 2], false]);
    waits.resolve();
    await end;
  });

  it("works on one item at a time when none is allowed", async () => {
    const begun: number[] = [];
    await withWorkers(
      [0, 1],
      () => 0,
      async (item) => {
        expect(begun).to.have.length(item);
        await setImmediate();
        begun.push(item);
      },
    );
    expect(begun).to.deep.equal([0, 1]);
  });

  for (const order of ["before", "after"] as const) {
    it(`fails with the failure of an item, also when another one succeeds in the same turn, ${order} it`, async () => {
      const { works, begun, end } = twoAtATime(3);
      const failure = new Error("a defect");
      const settle = [() => works[0]?.reject(failure), () => works[1]?.resolve()];
      for (const each of order === "before" ? settle.reverse() : settle) each();
      works[2]?.resolve();
      expect(await errorOf(() => end)).to.equal(failure);
      expect(begun, "nothing begins after a failure").to.deep.equal([0, 1]);
    });
  }

  it("waits for the work under way before it fails, and begins none", async () => {
    const { works, begun, end } = twoAtATime(3);
    let hasEnded = false;
    const failed = errorOf(() => end).finally(() => (hasEnded = true));
    works[0]?.reject(new Error("a defect"));
    await setImmediate();
    expect([hasEnded, begun]).to.deep.equal([false, [0, 1]]);
    works[1]?.resolve();
    expect((await failed).message).to.equal("a defect");
    expect(begun).to.deep.equal([0, 1]);
  });

  it("fails with the first of several failures, and leaves no rejection unhandled", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const { works, end } = twoAtATime(2);
      const failed = errorOf(() => end);
      works[1]?.reject(new Error("first"));
      await setImmediate();
      works[0]?.reject(new Error("second"));
      expect((await failed).message).to.equal("first");
      await setImmediate();
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });

  it("fails when the work throws before it returns a promise", async () => {
    const error = await errorOf(() =>
      withWorkers(
        [1],
        () => 1,
        () => {
          throw new Error("at once");
        },
      ),
    );
    expect(error.message).to.equal("at once");
  });
});
