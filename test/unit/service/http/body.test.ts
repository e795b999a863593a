import { Readable } from "node:stream";
import { expect } from "chai";
import { readBody } from "../../../../provider/service/http/body.js";

const LIMIT = 64 * 1024;

describe("readBody", () => {
  it("reads a body to its end, in several pieces", async () => {
    const bytes = Buffer.from("größe");
    const stream = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
    expect(await readBody(stream)).to.deep.equal({ text: "größe", end: "complete" });
  });

  it("reads an empty body", async () => {
    expect(await readBody(Readable.from([]))).to.deep.equal({ text: "", end: "complete" });
  });

  it("treats a body of exactly 64 KiB as complete", async () => {
    const stream = Readable.from([Buffer.alloc(LIMIT - 1, "x"), Buffer.from("y")]);
    expect(await readBody(stream)).to.deep.equal({ text: `${"x".repeat(LIMIT - 1)}y`, end: "complete" });
  });

  it("cuts a longer body at 64 KiB, says so, and ends the stream", async () => {
    const stream = new Readable({ read: () => undefined });
    stream.push(Buffer.alloc(LIMIT, "x"));
    stream.push(Buffer.from("y"));
    expect(await readBody(stream)).to.deep.equal({ text: "x".repeat(LIMIT), end: "too large" });
    expect(stream.destroyed).to.equal(true);
  });

  it("returns what arrived before the stream failed", async () => {
    const stream = new Readable({ read: () => undefined });
    stream.push(Buffer.from("half"));
    setImmediate(() => stream.destroy(new Error("reset")));
    expect(await readBody(stream)).to.deep.equal({ text: "half", end: "broken off" });
  });
});
