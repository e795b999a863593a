import type { RootHookObject } from "mocha";

/** Work to be done when the tests of a file have ended, for example because one of them failed half-way. */
const leftovers = new Set<() => unknown>();

/** Registers work that has to be done at the end of the file, whatever happens. */
export function atEndOfFile(work: () => unknown): void {
  leftovers.add(work);
}

/** A busy machine takes half a minute to delete the packages of a project. */
const CLEAN_UP_TIMEOUT_MS = 120_000;

const rejections: unknown[] = [];
// Mocha ignores rejections that nobody handles.
process.on("unhandledRejection", (reason) => rejections.push(reason));

export const mochaHooks: RootHookObject = {
  afterEach() {
    const [reason] = rejections.splice(0);
    if (reason === undefined) return;
    throw new Error("a rejection that nobody handled", { cause: reason });
  },
  async afterAll(this: Mocha.Context) {
    this.timeout(CLEAN_UP_TIMEOUT_MS);
    const work = [...leftovers];
    leftovers.clear();
    await Promise.all(work.map((one) => one()));
  },
};
