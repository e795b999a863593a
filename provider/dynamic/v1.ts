import "../session/node-version.js"; // first, because it explains why the others cannot be loaded
import { RESOURCE_HOOKS } from "../run/resource-hooks.js";
import { createEntry } from "./shared-run.js";

// The object of hooks that the text in the state loads. Names and the order of arguments are a wire contract forever:
// docs/decisions/constant-in-state.md.

const entry = createEntry("v1", RESOURCE_HOOKS.ControlPlane);
export const { configure, check, diff, create, read, update } = entry;
const { delete: remove } = entry;
export { remove as delete };
