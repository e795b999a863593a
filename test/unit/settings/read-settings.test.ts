import { expect } from "chai";
import { readSettings } from "../../../provider/settings/read-settings.js";
import { sourcesOf } from "./fake-sources.js";

describe("the settings", () => {
  it("hold the limits, the address and the token", () => {
    const config = { "konnect:maxAttempts": "3", "konnect:region": "eu" };
    const settings = readSettings(sourcesOf(config, { KONNECT_SPAT: "spat_env", KONNECT_REGION: "us" }));
    expect(settings).to.deep.include({
      limits: { maxAttempts: 3, budgetMs: 300_000, requestTimeoutMs: 30_000 },
      concurrency: 32,
      problems: [],
    });
    expect(settings.address?.parsed).to.deep.equal({ ok: true, address: "https://eu.api.konghq.com/v2" });
    expect(settings.environmentAddress?.setting).to.equal("KONNECT_REGION");
    expect(settings.tokens.current().source).to.equal("KONNECT_SPAT");
  });

  it("hold the path of the report file: stack configuration first, then the environment, then none", () => {
    const config = { "konnect:reportFile": "a.jsonl" };
    const env = { KONNECT_REPORT_FILE: "b.jsonl" };
    expect(readSettings(sourcesOf(config, env)).reportFiles).to.deep.equal(["a.jsonl"]);
    expect(readSettings(sourcesOf({}, env)).reportFiles).to.deep.equal(["b.jsonl"]);
    expect(readSettings(sourcesOf({ "konnect:reportFile": "" }, env)).reportFiles).to.deep.equal(["b.jsonl"]);
    expect(readSettings(sourcesOf({}, { KONNECT_REPORT_FILE: "" })).reportFiles).to.deep.equal([]);
    expect(readSettings(sourcesOf({})).reportFiles).to.deep.equal([]);
  });

  it("hold the path of destroyControlPlanes's own report file besides the one that is set", () => {
    const automation = { KONNECT_AUTOMATION_REPORT_FILE: "c.jsonl" };
    const config = { "konnect:reportFile": "a.jsonl" };
    expect(readSettings(sourcesOf(config, automation)).reportFiles).to.deep.equal(["a.jsonl", "c.jsonl"]);
    expect(readSettings(sourcesOf({}, automation)).reportFiles).to.deep.equal(["c.jsonl"]);
  });

  it("can be read when nothing is set and when everything is wrong", () => {
    expect(readSettings(sourcesOf({})).problems).to.deep.equal([]);
    const wrong = readSettings(
      sourcesOf({
        "konnect:token": "two words",
        "konnect:region": "mars",
        "konnect:maxAttempts": "many",
        "konnect:concurrency": "0",
      }),
    );
    expect(wrong.problems).to.have.length(2);
    expect(wrong.address?.parsed.ok).to.equal(false);
  });
});
