import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { declarePreview } from "./declare-preview";

type Inputs = Readonly<Record<string, unknown>>;

const asked: { readonly token: string; readonly inputs: Inputs }[] = [];
const declared: { readonly type: string; readonly inputs: Inputs }[] = [];

/** Names of the previews that the service has. */
let previews: readonly string[];

before(async () => {
  await pulumi.runtime.setMocks({
    // Answers the look-ups.
    call: ({ token, inputs }: (typeof asked)[number]) => {
      asked.push({ token, inputs });
      switch (token) {
        case "konnect:index:getControlPlane":
          return { id: idOf(0), name: inputs.name, labels: { owner: "ann" } };
        case "konnect:index:selectControlPlanes":
          return { controlPlanes: previews.map((name, index) => ({ id: idOf(index + 1), name })) };
        default:
          throw new Error(`the program calls ${token}, which no test expects`);
      }
    },
    // Gets each resource, and returns the outputs that the program reads.
    newResource: ({ type, inputs }: (typeof declared)[number]) => {
      declared.push({ type, inputs });
      return { id: idOf(9), state: { ...inputs, controlPlaneEndpoint: "https://cp.example.com" } };
    },
  });
});

beforeEach(() => {
  asked.length = 0;
  declared.length = 0;
  previews = [];
});

test("creates a control plane with the labels of the team's own one, guarded by its label", async () => {
  const preview = await declarePreview("payments", 7);
  assert.equal(await valueOf(preview.controlPlaneEndpoint), "https://cp.example.com");
  const [resource, ...others] = declared;
  assert.deepEqual(others, []);
  assert.equal(resource?.type, "pulumi-nodejs:dynamic/konnect:ControlPlane");
  assert.equal(resource.inputs.name, "payments-pr-7");
  assert.deepEqual(resource.inputs.labels, { owner: "ann", env: "preview", team: "payments" });
  assert.deepEqual(resource.inputs.onlyIfLabels, { env: "preview" });
});

test("looks up the team's own control plane by its name, and the team's previews by their labels", async () => {
  await valueOf((await declarePreview("payments", 7)).id);
  const labels = { env: "preview", team: "payments" };
  assert.deepEqual(asked, [
    { token: "konnect:index:getControlPlane", inputs: { name: "payments" } },
    { token: "konnect:index:selectControlPlanes", inputs: { labels } },
  ]);
});

test("does not count the preview itself, so that a second run passes", async () => {
  previews = ["payments-pr-5", "payments-pr-6", "payments-pr-7"];
  await valueOf((await declarePreview("payments", 7)).id);
  assert.equal(declared.length, 1);
});

test("refuses a fourth preview, names the others, and declares nothing", async () => {
  previews = ["payments-pr-4", "payments-pr-5", "payments-pr-6"];
  await assert.rejects(declarePreview("payments", 7), {
    message: "the team payments has 3 previews already: payments-pr-4, payments-pr-5, payments-pr-6",
  });
  assert.deepEqual(declared, []);
});

/** A resource is declared when its outputs are known. */
function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => output.apply(resolve));
}

function idOf(n: number): string {
  return `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`;
}
