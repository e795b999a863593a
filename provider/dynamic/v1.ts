import "../session/node-version.js"; // first, because it explains why the others cannot be loaded
import { check as checkHook, type CheckResult } from "../hooks/check.js";
import type { Properties } from "../state/recorded-fields.js";
import type { Created, DiffResult, ReadResult, Updated } from "../hooks/context.js";
import { createResource, diffResource, updateResource } from "../hooks/resource.js";
import { readResource } from "../hooks/read.js";
import { deleteResource } from "../hooks/delete.js";
import { type ConfigureRequest, configureRun, PartialFailure, run } from "./shared-run.js";

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
  return run(news, (context) => checkHook(context, news));
}

/** Compares a resource in the state with its arguments. Rejects when the change is not allowed. */
export function diff(id: string, olds: Properties, news: Properties): Promise<DiffResult> {
  return run(news, (context) => diffResource(context, id, olds, news));
}

/** Adopts or creates the control plane that the arguments name. */
export function create(inputs: Properties): Promise<Created> {
  return run(inputs, async (context) => {
    const { id, outs, unfinished } = await createResource(context, inputs);
    if (unfinished !== undefined) throw new PartialFailure(unfinished, id, outs, inputs);
    return { id, outs };
  });
}

/** Reads a control plane of the state, or looks one up by its id. Returns an empty id when it is gone. */
export function read(id: string, properties: Properties): Promise<ReadResult> {
  return run(properties, (context) => readResource(context, id, properties));
}

/** Changes a created control plane in place, and records other guards. An adopted one has no other changes. */
export function update(id: string, olds: Properties, news: Properties): Promise<Updated> {
  return run(news, async (context) => {
    const { outs, unfinished } = await updateResource(context, id, olds, news);
    if (unfinished !== undefined) throw new PartialFailure(unfinished, id, outs, news);
    return { outs };
  });
}

/** Deletes a control plane of the state. One that is gone already is a success. */
async function remove(id: string, outputs: Properties): Promise<void> {
  await run(outputs, (context) => deleteResource(context, id, outputs));
}
export { remove as delete };
