import { expect } from "chai";
import * as pulumi from "@pulumi/pulumi";
import { programSession } from "../../../provider/lookups/program-session.js";
import { lookUpScene, TOKEN } from "./look-up-scene.js";

describe("the session of a program's look-ups", () => {
  const scene = lookUpScene([], { KONNECT_REGION: "us", HOME: "/home/ci" });

  it("is shared while its own settings stay the same, whatever else changes and in whatever order", async () => {
    const session = await programSession();
    process.env.HOME = "/home/other";
    pulumi.runtime.setAllConfig({
      "aws:region": "eu-west-1",
      "konnect:token": TOKEN,
      "konnect:baseUrl": scene().emulator.baseUrl,
    });
    expect(await programSession()).to.equal(session);
  });

  it("is another one after a change of the stack configuration or of the environment", async () => {
    const first = await programSession();
    scene().configure({ "konnect:maxAttempts": "2" });
    const second = await programSession();
    process.env.KONNECT_REGION = "eu";
    const third = await programSession();
    expect(new Set([first, second, third])).to.have.property("size", 3);
  });

  it("is another one for each run of a program in the same process", async () => {
    const outside = await programSession();
    await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "", state: {} }) });
    scene().configure({});
    expect(await programSession()).not.to.equal(outside);
  });
});
