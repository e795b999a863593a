import type { HeldControlPlane } from "../../../provider/state/held-control-planes.js";
import { EU, ID } from "../hooks/fake-context.js";

/** Returns a control plane of a state, without guards and options unless the test gives some. */
export function recorded(more: Partial<HeldControlPlane> = {}): HeldControlPlane {
  return {
    urn: "urn:pulumi:dev::nightly::pulumi-nodejs:dynamic/konnect:ControlPlane::edge",
    resource: "edge",
    type: "ControlPlane",
    origin: "adopted",
    id: ID,
    idAsRecorded: ID,
    address: EU,
    name: "edge",
    guards: {},
    detachable: new Set(),
    secretGuards: [],
    isProtected: false,
    droppedBy: undefined,
    isExternal: false,
    isPendingReplacement: false,
    isReplaced: false,
    ...more,
  };
}
