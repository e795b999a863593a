import { expect } from "chai";
import {
  ControlPlaneError,
  settingsError,
} from "../../../../provider/service/failure/control-plane-error.js";
import { safe, safeLines } from "../../../../provider/text/safe-text.js";

describe("ControlPlaneError", () => {
  it("carries its facts, and no numeric code", () => {
    const details = { kind: "forbidden", subject: safe`control plane x`, summary: safe`403 No` } as const;
    const error = new ControlPlaneError(safe`403 No: control plane x was not deleted`, details);
    expect(error).to.be.an("error").and.include(details);
    expect(error).to.include({ name: "ControlPlaneError", facts: undefined, problem: undefined });
    expect(error).not.to.have.property("code");
  });
});

describe("settingsError", () => {
  it("is about the settings, and is summed up by its first line", () => {
    const message = safeLines([safe`KONNECT_SPAT is set but empty`, safe`  next  give a token`]);
    const error = settingsError(message);
    expect(error).to.be.instanceOf(ControlPlaneError);
    expect(error).to.include({
      message: "KONNECT_SPAT is set but empty\n  next  give a token",
      name: "ControlPlaneError",
      kind: "settings",
      subject: "settings",
      summary: "KONNECT_SPAT is set but empty",
      facts: undefined,
    });
  });

  it("can be about something else", () => {
    const about = { subject: safe`control plane x`, summary: safe`refused` };
    expect(settingsError(safe`Refused: control plane x`, about)).to.include({ kind: "settings", ...about });
  });
});
