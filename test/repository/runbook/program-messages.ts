import * as pulumi from "@pulumi/pulumi";
import { check } from "../../../provider/hooks/check.js";
import { deleteResource } from "../../../provider/hooks/delete.js";
import { diffResource } from "../../../provider/hooks/resource.js";
import { adoptControlPlane } from "../../../provider/hooks/adopted.js";
import { deleteSet } from "../../../provider/hooks/set/delete-set.js";
import type { LedgerRecord } from "../../../provider/hooks/ledger.js";
import { refuseOptions } from "../../../provider/refused-options.js";
import { shareLedgers } from "../../../provider/run/shared-ledgers.js";
import { diffSet } from "../../../provider/hooks/set/adopt-set.js";
import { getControlPlane, selectControlPlanes } from "../../../provider/lookups/program-look-ups.js";
import type { Messages } from "../../runbook-page.js";
import { urnOf } from "../../pure/hooks/fake-context.js";
import { failureOf, type LookUpScene } from "../../sockets/lookups/look-up-scene.js";
import { reply } from "../../pure/service/answers.js";
import { EU, ID, Night, PAYMENTS, SET } from "./night.js";

const FOUND = reply(200, { id: ID, name: "payments", labels: { env: "prod" } });
const INPUTS = { controlPlaneId: ID, region: "eu" };

/** What the runbook quotes about changes of a program. */
export const PROGRAM_MESSAGES: Messages = {
  "A change would delete a control plane": [
    () =>
      new Night([FOUND]).read((context) => diffResource(context, ID, PAYMENTS, { ...INPUTS, region: "us" })),
    () => new Night([]).read((context) => diffSet(context, SET, { controlPlaneIds: [ID], region: "us" })),
  ],
  "A resource cannot switch between creating and adopting": [
    () =>
      new Night([]).read((context) =>
        diffResource(context, ID, PAYMENTS, { name: "payments", region: "eu" }),
      ),
  ],
  "Two resources for one control plane": [
    () =>
      new Night([FOUND]).read(async (context) => {
        await adoptControlPlane({ ...context, urn: urnOf("legacy") }, INPUTS);
        await adoptControlPlane({ ...context, urn: urnOf("payments") }, INPUTS);
      }),
  ],
  "The program still declares it": [
    () =>
      new Night([]).read((context) => {
        check(context, INPUTS);
        return deleteResource(context, ID, PAYMENTS);
      }),
  ],
  "The program still refers to it": [
    () =>
      new Night([]).read((context) => {
        context.ledger.refer(urnOf("payments-by-id"), ID);
        return deleteResource(context, ID, PAYMENTS);
      }),
  ],
  "A run that deletes nothing": [
    () =>
      new Night([], { env: { KONNECT_NO_DELETE: "1" } }).read((context) =>
        deleteResource(context, ID, PAYMENTS),
      ),
  ],
  "An import takes the place of another control plane": [
    () =>
      new Night([]).read((context) => {
        check(context, { ...INPUTS, controlPlaneId: ID.replace(/^./, "a") });
        return deleteResource(context, ID, PAYMENTS);
      }),
  ],
  "An import that no `up` has confirmed": [
    () => new Night([]).read((context) => deleteResource(context, ID, { ...PAYMENTS, __origin: "external" })),
  ],
  "A set was renamed, or removed": [
    () =>
      new Night([]).read((context) => {
        context.ledger.declare(urnOf("nightly"), { kind: "set", ids: [], address: EU });
        return deleteSet({ ...context, urn: urnOf("legacy") }, SET);
      }),
  ],
  "An option that is not possible": [
    () =>
      new Night([]).read(() => {
        const what = 'ControlPlane "payments" with controlPlaneId';
        refuseOptions(what, { deleteBeforeReplace: true }, ["deleteBeforeReplace"]);
      }),
  ],
  "Provider processes that cannot share": [
    () => new Night([]).read(() => shareLedgers("127.0.0.1:1", "/dev/null/x").publish({} as LedgerRecord)),
  ],
  "The state was edited": [
    () => new Night([]).read((context) => deleteResource(context, ID, { name: "payments" })),
  ],
};

/** The control planes that the look-ups of {@link lookUpMessages} find. */
export const LOOKED_UP = [
  { name: "pr-1", labels: { env: "preview" }, age: "9d" },
  { name: "pr-2", labels: { env: "preview" }, age: "9d" },
];

/** What the runbook quotes about look-ups. They run in a program, against the emulator. */
export function lookUpMessages(scene: () => LookUpScene): Messages {
  const labels = { env: "preview" };
  const failed = async (lookUp: Promise<unknown>) => (await failureOf(lookUp)).message;
  return {
    "More control planes match than `atMost`": [() => failed(selectControlPlanes({ labels, atMost: 1 }))],
    "Fewer control planes match than `atLeast`": [() => failed(selectControlPlanes({ labels, atLeast: 3 }))],
    "A selection without a filter": [() => failed(selectControlPlanes({ atMost: 50 }))],
    "No control plane has the name, or several have it": [
      () => failed(getControlPlane({ name: "pr" })),
      () => {
        scene().emulator.add({ name: "pr-1" });
        return failed(getControlPlane({ name: "pr-1" }));
      },
    ],
    "The list cannot be read": [
      () => {
        scene().emulator.script({ operation: "list-control-planes" }, { status: 403 });
        return failed(selectControlPlanes({ labels }));
      },
    ],
    "An address in the environment is not used": [
      async () => {
        process.env.KONNECT_REGION = "us";
        pulumi.runtime.setAllConfig({ "konnect:token": "spat_ofTheRunbook0123456789" });
        await failed(selectControlPlanes({ baseUrl: scene().emulator.baseUrl, labels, atMost: 1 }));
        return scene().lines.join("\n");
      },
    ],
  };
}
