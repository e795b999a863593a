import { expect } from "chai";
import { create } from "../../../provider/hooks/create.js";
import { diff } from "../../../provider/hooks/diff.js";
import { ForeignAnswerError, MissingError, SettingsError } from "../../../provider/service/errors.js";
import {
  errorOf,
  EU,
  failure,
  FakeContext,
  found,
  gone,
  ID,
  OTHER_ID,
  outputs,
  target,
  UNKNOWN,
} from "./fake-context.js";
import { reply } from "../service/answers.js";
import { FakeService } from "../service/fake-effects.js";

const inputs = { controlPlaneId: ID, region: "eu" };

describe("adopting", () => {
  it("makes sure that the control plane exists, and records its address and name", async () => {
    const context = new FakeContext();
    context.reading = found("edge", { team: "payments" });
    expect(await create(context, inputs)).to.deep.equal({ id: ID, outs: { baseUrl: EU, name: "edge" } });
    expect(context.reads).to.deep.equal([{ ...target, doing: "adopt" }]);
    expect(context.lines).to.deep.equal([]);
  });

  it("records a foreign name in a harmless and bounded form", async () => {
    const context = new FakeContext();
    context.reading = found(`::error::<{%x%}>${"n".repeat(10_000)}`);
    const { name = "" } = (await create(context, inputs)).outs;
    expect(name).to.match(/^: :error: :< \{%x%\}>n+… \(\d+ more characters\)$/);
    expect(name.length).to.be.lessThan(300);
  });

  it("refuses a second resource for the same control plane, without a request", async () => {
    const context = new FakeContext();
    await create(context, inputs);
    const error = await errorOf(() =>
      create(context, { controlPlaneId: ID.toUpperCase(), baseUrl: `${EU}/` }),
    );
    expect(error).to.be.instanceOf(SettingsError);
    expect(error).to.include({ subject: `control plane ${ID}` });
    expect(error.message).to.match(new RegExp(`^Adopted twice: control plane ${ID} was not adopted again\n`));
    expect(error.message).to.contain("its destroy would delete it for both. Keep one.");
    expect(context.reads).to.have.length(1);
  });

  it("takes two resources at once for the same control plane as two", async () => {
    const context = new FakeContext();
    const ends = await Promise.allSettled([create(context, inputs), create(context, inputs)]);
    expect(ends.map(({ status }) => status)).to.deep.equal(["fulfilled", "rejected"]);
  });

  it("takes the same id at another address for the same control plane, and another id for another one", async () => {
    const context = new FakeContext();
    await create(context, inputs);
    const error = await errorOf(() => create(context, { controlPlaneId: ID, region: "us" }));
    expect(error.message).to.match(/^Adopted twice: /);
    await create(context, { ...inputs, controlPlaneId: OTHER_ID });
    expect(context.reads.map(({ id }) => id)).to.deep.equal([ID, OTHER_ID]);
  });

  it("refuses what a resource of the program holds already, and leaves it held", async () => {
    const context = new FakeContext();
    context.memory.declare(ID);
    await diff(context, ID, outputs, inputs);
    expect((await errorOf(() => create(context, inputs))).message).to.match(/^Adopted twice: /);
    expect(context.memory.isHeld(ID)).to.equal(true);
    expect(context.reads).to.deep.equal([]);
  });

  it("does not adopt unread what a proxy forbids", async () => {
    const client = new FakeService([reply(403, "<html>Blocked</html>")]).client();
    const context = Object.assign(new FakeContext(), { client });
    const error = await errorOf(() => create(context, inputs));
    expect(error).to.be.instanceOf(ForeignAnswerError);
    expect(error.message).to.match(
      new RegExp(`^403 Forbidden, not from the service: control plane ${ID} was not adopted\n`),
    );
    expect(context.lines).to.deep.equal([]);
    expect(context.memory.isHeld(ID)).to.equal(false);
  });

  it("adopts unread what the token may not read, says so and keeps the problem", async () => {
    const context = new FakeContext();
    context.reading = failure("forbidden", 403, "Permission denied", {
      detail: "No role.",
      type: "https://kongapi.info/x",
    });
    expect(await create(context, inputs)).to.deep.equal({
      id: ID,
      outs: {
        baseUrl: EU,
        lastProblem: {
          status: 403,
          title: "Permission denied",
          detail: "No role.",
          type: "https://kongapi.info/x",
          instance: "konnect:trace:403",
        },
      },
    });
    expect(context.lines).to.have.length(1);
    expect(context.lines[0]).to.match(
      new RegExp(`^403 Permission denied: adopted unread: control plane ${ID}`),
    );
    expect(context.memory.isHeld(ID), "it is held").to.equal(true);
  });

  it("stores a problem in at most 1 KB", async () => {
    const long = "x".repeat(50_000);
    const context = new FakeContext();
    context.reading = failure("forbidden", 403, long, { detail: long, type: long });
    const { lastProblem } = (await create(context, inputs)).outs;
    expect(JSON.stringify(lastProblem).length).to.be.within(600, 1_000);
  });

  for (const [what, piece] of [
    ["wide characters", "漢"],
    ["emoji", "🦍"],
    ["quotation marks", '"'],
    ["backslashes", "\\"],
    ["control characters", "\u001b"],
  ] as const) {
    it(`stores a problem in at most 1,000 bytes of JSON: ${what}`, async () => {
      for (const length of [40, 60, 100, 300, 50_000]) {
        const long = piece.repeat(length);
        const context = new FakeContext();
        context.reading = failure("forbidden", 403, long, { detail: long, type: long, instance: long });
        const { lastProblem } = (await create(context, inputs)).outs;
        expect(Buffer.byteLength(JSON.stringify(lastProblem)), `length ${length}`).to.be.within(100, 1_000);
        expect(lastProblem).to.include.keys("status", "title", "type", "instance");
      }
    });
  }

  it("stores a shorter detail rather than none", async () => {
    const context = new FakeContext();
    context.reading = failure("forbidden", 403, "権限がありません", { detail: "漢".repeat(500) });
    const { detail = "" } = (await create(context, inputs)).outs.lastProblem ?? {};
    expect(detail).to.match(/^漢{200}… \(300 more characters\)$/);
  });

  for (const end of [
    failure("missing", 404, "Not Found"),
    failure("unavailable", 503, "Service Unavailable"),
    new TypeError("a defect"),
  ]) {
    it(`fails with "${end.message.slice(0, 9)}", and a second try is not one resource too many`, async () => {
      const context = new FakeContext();
      context.reading = end;
      expect(await errorOf(() => create(context, inputs))).to.equal(end);
      context.reading = found();
      expect((await create(context, inputs)).id).to.equal(ID);
    });
  }

  it("never takes what is missing for adopted", async () => {
    const context = new FakeContext();
    context.reading = failure("missing", 404, "Not Found");
    expect(await errorOf(() => create(context, inputs))).to.be.instanceOf(MissingError);
    expect(context.memory.isHeld(ID)).to.equal(false);
  });

  it("refuses unusable arguments without a request, and names them all", async () => {
    const context = new FakeContext({ "konnect:region": "mars" });
    const error = await errorOf(() => create(context, { controlPlaneId: "edge" }));
    expect(error).to.be.instanceOf(SettingsError);
    const [headline, reason, ...more] = error.message.split("\n");
    expect(headline).to.match(/^controlPlaneId +must be a UUID.*: control plane edge was not adopted$/);
    expect(reason).to.match(/^ +stack configuration konnect:region must be one of/);
    expect(more).to.deep.equal(["", "  next      correct that, then run again; nothing was sent"]);
    expect(error).to.include({ subject: "control plane edge" });
    expect(context.reads).to.deep.equal([]);
  });

  it("refuses an unusable region of the settings in words that begin with its name", async () => {
    const context = new FakeContext({ "konnect:region": "mars" });
    const { message } = await errorOf(() => create(context, { controlPlaneId: ID }));
    expect(message).to.match(
      /^stack configuration konnect:region must be one of .*: control plane [-0-9a-f]{36} was not adopted\n/,
    );
  });

  for (const [what, inputs] of [
    ["no id", { region: "eu" }],
    ["an id that is no text", { controlPlaneId: 7, region: "eu" }],
  ] as const) {
    it(`says of ${what} that the control plane is without an id`, async () => {
      const error = await errorOf(() => create(new FakeContext(), inputs));
      expect(error.message).to.match(/: control plane without an id was not adopted\n/);
    });
  }

  it("sends nothing for a value that is not known", async () => {
    const context = new FakeContext();
    const { message } = await errorOf(() => create(context, { controlPlaneId: UNKNOWN, region: "eu" }));
    expect(message).to.match(/^unusable settings: control plane /);
    expect(context.reads).to.deep.equal([]);
  });

  it("takes it for a defect when the client lets it adopt what is gone", async () => {
    const context = new FakeContext();
    context.reading = gone;
    const error = await errorOf(() => create(context, inputs));
    expect(error.message).to.equal("the client lets nothing be adopted that is gone");
    expect(context.memory.isHeld(ID)).to.equal(false);
  });
});
