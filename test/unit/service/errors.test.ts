import { expect } from "chai";
import { SettingsError } from "../../../provider/service/errors.js";

describe("an error about the settings", () => {
  it("is summed up by its first line, and is about the settings where nothing else is said", () => {
    expect(new SettingsError("KONNECT_SPAT is set but empty\n  next  give a token")).to.include({
      name: "SettingsError",
      summary: "KONNECT_SPAT is set but empty",
      subject: "settings",
      kind: "settings",
      attempts: 0,
      elapsedMs: 0,
    });
  });
});
