import { expect } from "chai";
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createStoredStack, type StoredStack } from "../../../tools/local-stack/file-backend.js";

const failureOf = (result: Promise<unknown>): Promise<string> =>
  result.then(
    () => expect.fail("it did not fail"),
    (error: unknown) => (error as Error).message,
  );

describe("a stack in a file backend", () => {
  let folder: string;
  let stack: StoredStack;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "backend-"));
    stack = createStoredStack(folder, "scene", "dev");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is empty at first, where the CLI looks for it", async () => {
    expect(stack.file).to.equal(path.join(folder, ".pulumi/stacks/scene/dev.json"));
    expect(await stack.read()).to.deep.include({ resources: [], urns: [], pending: 0 });
  });

  it("holds what was written, and nothing is left beside it", async () => {
    const text = JSON.stringify({ version: 3, checkpoint: { stack: "organization/scene/dev", latest: {} } });
    await stack.write(text);
    expect((await stack.read()).text).to.equal(text);
    expect(readdirSync(path.dirname(stack.file))).to.deep.equal(["dev.json"]);
  });

  it("takes nothing that is no state, and keeps what it has", async () => {
    const before = await stack.read();
    for (const text of ["", before.text.slice(0, -10), '{ "version": 3, "deployment": {} }']) {
      expect(await failureOf(stack.write(text)), text).to.match(/JSON|checkpoint/);
    }
    expect(await stack.read()).to.deep.equal(before);
  });

  it("fails with the path of its file when that is cut off, missing or compressed", async () => {
    writeFileSync(stack.file, '{"version":3,"checkp');
    expect(await failureOf(stack.read())).to.match(/^the state in \S+\/dev\.json cannot be read: .*JSON/);
    renameSync(stack.file, `${stack.file}.gz`);
    expect(await failureOf(stack.read())).to.match(/^there is no state in \S+\/dev\.json \(a compressed/);
  });
});
