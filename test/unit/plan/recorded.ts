import type { RecordedControlPlane } from "../../../provider/plan/recorded-control-plane.js";
import { EU, ID } from "../hooks/fake-context.js";

/** Returns a control plane of a state, without guards and options unless the test gives some. */
export function recorded(more: Partial<RecordedControlPlane> = {}): RecordedControlPlane {
  return {
    urn: "urn:pulumi:dev::nightly::pulumi-nodejs:dynamic/konnect:ControlPlane::edge",
    resource: "edge",
    type: "ControlPlane",
    id: ID,
    address: EU,
    name: "edge",
    guards: {},
    detachable: new Set(),
    secretGuards: [],
    isProtected: false,
    droppedBy: undefined,
    isExternal: false,
    ...more,
  };
}
