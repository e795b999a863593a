import { expect } from "chai";
import { createLiveOutput } from "../../../provider/night/live-output.js";

/** What Pulumi 3.248 prints of a destroy that fails, without colors and without progress. */
const DESTROY = `Destroying (dev):

View Live: https://app.pulumi.com/acme/teardown/dev/updates/7

 -  pulumi-nodejs:dynamic/konnect:ControlPlaneSet selected deleting (0s)\u0020
    pulumi:pulumi:Stack teardown-dev  503, retry 2 of 10 in 1.0 s: "a" (9524ec7d…) Service Unavailable
    pulumi:pulumi:Stack teardown-dev  the set: 9 of 60 control planes were not deleted
 -  pulumi-nodejs:dynamic/konnect:ControlPlaneSet selected deleting (1s) error: 9 of 60 control planes were not deleted
 -  pulumi-nodejs:dynamic/konnect:ControlPlaneSet selected **deleting failed** error: 9 of 60 control planes were not deleted
    pulumi:pulumi:Stack teardown-dev  error: update failed
    pulumi:pulumi:Stack teardown-dev **failed** 1 error; 4 messages
 -  pulumi-nodejs:dynamic/konnect:ControlPlane b deleted (2s)\u0020
Diagnostics:
  pulumi:pulumi:Stack (teardown-dev):
    503, retry 2 of 10 in 1.0 s: "a" (9524ec7d…) Service Unavailable

  pulumi-nodejs:dynamic/konnect:ControlPlaneSet (selected):
    error: 9 of 60 control planes were not deleted

      403 Permission denied: control plane "a"

Resources:
    2 errored

Duration: 2s

The resources in the stack have been deleted, but the history and configuration are still maintained.\u0020
If you want to remove the stack completely, run \`pulumi stack rm dev\`.
`;

const NEEDED = `Destroying (dev):

View Live: https://app.pulumi.com/acme/teardown/dev/updates/7

    pulumi:pulumi:Stack teardown-dev  503, retry 2 of 10 in 1.0 s: "a" (9524ec7d…) Service Unavailable
    pulumi:pulumi:Stack teardown-dev  the set: 9 of 60 control planes were not deleted
 -  pulumi-nodejs:dynamic/konnect:ControlPlane b deleted (2s)\u0020
Resources:
    2 errored

Duration: 2s

`;

function printed(pieces: readonly string[]): string {
  let all = "";
  const take = createLiveOutput((text) => (all += text));
  pieces.forEach(take);
  return all;
}

describe("the live output of a night", () => {
  it("has each message once, and leaves the whole explanation to the report", () => {
    expect(printed([DESTROY])).to.equal(NEEDED);
  });

  it("is the same however the output comes in pieces", () => {
    expect(printed(DESTROY.split(/(?=[ e\n])/))).to.equal(NEEDED);
    expect(printed(DESTROY.split(/(?<=\n)/))).to.equal(NEEDED);
  });

  it("shows a layout that it does not know as it is", () => {
    const text = "a new kind of line\n  another: one (7s)\nResources:\n    + 2 created\n";
    expect(printed([text])).to.equal(text);
  });
});
