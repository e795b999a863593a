import "../session/node-version.js"; // first, because it explains why the others cannot be loaded
import { check as checkHook, type CheckResult } from "../hooks/check.js";
import type { Properties } from "../hooks/state/properties.js";
import { create as createHook, type Created } from "../hooks/create.js";
import { deleteResource } from "../hooks/delete.js";
import { diff as diffHook, type DiffResult } from "../hooks/diff.js";
import { read as readHook, type ReadResult } from "../hooks/read.js";
import { update as updateHook, type Updated } from "../hooks/update.js";
import { type ConfigureRequest, configureRun, run } from "./shared-run.js";

// The object of hooks that the text in the state loads. Names and the order of arguments are a wire contract forever:
// docs/decisions/constant-in-state.md.

/**
 * Takes the stack configuration. It stores its promise at once, because the host makes other calls before this one
 * returns. It never throws, because the host would go on unconfigured.
 */
export function configure(request: ConfigureRequest): Promise<void> {
  return configureRun("v1", request);
}

/** Checks the arguments of a resource. Failures name the argument. */
export function check(_olds: Properties, news: Properties): Promise<CheckResult> {
  return run((context) => checkHook(context, news));
}

/** Compares a resource in the state with its arguments. Rejects when the change would delete a control plane. */
export function diff(id: string, olds: Properties, news: Properties): Promise<DiffResult> {
  return run((context) => diffHook(context, id, olds, news));
}

/** Adopts the control plane that the arguments name. */
export function create(inputs: Properties): Promise<Created> {
  return run((context) => createHook(context, inputs));
}

/** Reads a control plane of the state, or looks one up by its id. Returns an empty id when it is gone. */
export function read(id: string, properties: Properties): Promise<ReadResult> {
  return run((context) => readHook(context, id, properties));
}

/** Records other guards. Nothing else about an adopted control plane can be changed. */
export function update(_id: string, olds: Properties, news: Properties): Promise<Updated> {
  return run(() => updateHook(olds, news));
}

/** Deletes a control plane of the state. One that is gone already is a success. */
async function remove(id: string, outputs: Properties): Promise<void> {
  await run((context) => deleteResource(context, id, outputs));
}
export { remove as delete };
