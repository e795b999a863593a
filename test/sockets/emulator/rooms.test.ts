import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { preProcessFile } from "typescript";

const ROOT = path.resolve(__dirname, "../../..");
const EMULATOR = path.join(ROOT, "emulator");

/** The rooms that each room may import. The files beside the rooms are the room ".". */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ".": ["bodies", "control", "control-planes", "faults", "http", "input", "operations", "service"],
  control: ["control-planes", "faults", "http", "input", "operations"],
  input: ["control-planes", "faults", "service"],
  operations: ["bodies", "control-planes", "http", "operations/groups", "queries", "service"],
  "operations/groups": ["bodies", "control-planes", "http", "operations", "queries", "service"],
  bodies: ["control-planes", "service"],
  queries: ["control-planes", "service"],
  faults: ["http", "service"],
  http: ["service"],
  service: ["control-planes"],
  "control-planes": [],
};

describe("the rooms of emulator/", () => {
  const files = sourcesIn(EMULATOR);

  it("are the rooms that this test knows", () => {
    expect(new Set(files.map(roomOf))).to.deep.equal(new Set(Object.keys(MAY_IMPORT)));
  });

  it("import each other in one direction, and nothing outside emulator/", () => {
    const forbidden = files.flatMap((file) =>
      importsOf(file)
        .map((imported) => roomOf(imported))
        .filter((room) => room !== roomOf(file) && !MAY_IMPORT[roomOf(file)]!.includes(room))
        .map((room) => `${path.relative(EMULATOR, file)} imports ${room}`),
    );
    expect(forbidden).to.deep.equal([]);
    expect(files.flatMap(importsOf)).to.have.length.above(50);
  });

  it("hold at most twelve files each", () => {
    for (const room of Object.keys(MAY_IMPORT)) {
      expect(files.filter((file) => roomOf(file) === room).length, room).to.be.within(1, 12);
    }
  });

  it("hold no file that shares its name with another one of emulator/ or provider/, except index.ts and main.ts", () => {
    const names = [...files, ...sourcesIn(path.join(ROOT, "provider"))]
      .map((file) => path.basename(file))
      .filter((name) => !["index.ts", "main.ts"].includes(name));
    const emulatorNames = new Set(files.map((file) => path.basename(file)));
    const shared = names.filter((name, at) => emulatorNames.has(name) && names.indexOf(name) !== at);
    expect(shared).to.deep.equal([]);
  });
});

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "dist" || entry.name === "node_modules") return [];
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return sourcesIn(place);
    return entry.name.endsWith(".ts") ? [place] : [];
  });
}

function importsOf(file: string): readonly string[] {
  return preProcessFile(readFileSync(file, "utf8"))
    .importedFiles.filter(({ fileName }) => fileName.startsWith("."))
    .map(({ fileName }) => path.resolve(path.dirname(file), fileName));
}

function roomOf(file: string): string {
  return path.relative(EMULATOR, path.dirname(file)) || ".";
}
