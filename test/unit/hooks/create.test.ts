import { expect } from "chai";
import { create } from "../../../provider/hooks/create.js";
import { MissingError, SettingsError } from "../../../provider/service/errors.js";
import {
  errorOf,
  EU,
  failure,
  FakeContext,
  found,
  ID,
  OTHER_ID,
  target,
  UNKNOWN,
  US,
} from "./fake-context.js";

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
    expect(context.reads).to.have.length(1);
  });

  it("takes two resources at once for the same control plane as two", async () => {
    const context = new FakeContext();
    const ends = await Promise.allSettled([create(context, inputs), create(context, inputs)]);
    expect(ends.map(({ status }) => status)).to.deep.equal(["fulfilled", "rejected"]);
  });

  it("takes the same id at another address for another control plane", async () => {
    const context = new FakeContext();
    await create(context, inputs);
    expect((await create(context, { controlPlaneId: ID, region: "us" })).outs.baseUrl).to.equal(US);
    await create(context, { ...inputs, controlPlaneId: OTHER_ID });
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
    expect(context.memory.claim(target), "it is held").to.equal(false);
  });

  it("stores a problem in at most 1 KB", async () => {
    const long = "x".repeat(50_000);
    const context = new FakeContext();
    context.reading = failure("forbidden", 403, long, { detail: long, type: long });
    const { lastProblem } = (await create(context, inputs)).outs;
    expect(JSON.stringify(lastProblem).length).to.be.within(600, 1_024);
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
    expect(context.memory.claim(target)).to.equal(true);
  });

  it("refuses unusable arguments without a request, and names them all", async () => {
    const context = new FakeContext({ "konnect:region": "mars" });
    const error = await errorOf(() => create(context, { controlPlaneId: "edge" }));
    expect(error).to.be.instanceOf(SettingsError);
    const [headline, first, second, ...more] = error.message.split("\n");
    expect(headline).to.equal("Unusable arguments: no control plane was adopted");
    expect(first).to.match(/^ {2}controlPlaneId +must be a UUID/);
    expect(second).to.match(/^ +stack configuration konnect:region must be one of/);
    expect(more).to.deep.equal([]);
    expect(context.reads).to.deep.equal([]);
  });

  it("sends nothing for a value that is not known", async () => {
    const context = new FakeContext();
    await errorOf(() => create(context, { controlPlaneId: UNKNOWN, region: "eu" }));
    expect(context.reads).to.deep.equal([]);
  });
});
