import "../session/node-version.js"; // first, because it explains why the others cannot be loaded
import type { CheckResult } from "../hooks/check.js";
import type { Created, DiffResult, ReadResult, Updated } from "../hooks/context.js";
import type { Properties } from "../state/recorded-fields.js";
import { checkSet, createSet, diffSet, updateSet } from "../hooks/set/adopt-set.js";
import { deleteSet } from "../hooks/set/delete-set.js";
import { readSet } from "../hooks/set/read-set.js";
import { type ConfigureRequest, configureRun, run } from "./shared-run.js";

// The object of hooks that the text in the state of a set loads. Names and the order of arguments are a wire contract
// forever: docs/decisions/constant-in-state.md.

/** Takes the stack configuration. It never throws, because the host would go on unconfigured. */
export function configure(request: ConfigureRequest): Promise<void> {
  return configureRun("v1/set", request);
}

/** Checks the arguments of a set. Failures name the argument. */
export function check(_olds: Properties, news: Properties): Promise<CheckResult> {
  return run(news, (context) => checkSet(context, news));
}

/** Compares a set in the state with its arguments. Rejects when the change would delete its members. */
export function diff(_id: string, olds: Properties, news: Properties): Promise<DiffResult> {
  return run(news, (context) => diffSet(context, olds, news));
}

/** Adopts the control planes that the arguments name. */
export function create(inputs: Properties): Promise<Created> {
  return run(inputs, (context) => createSet(context, inputs));
}

/** Reads the members of a set. One that is gone leaves the state. */
export function read(id: string, properties: Properties): Promise<ReadResult> {
  return run(properties, (context) => readSet(context, id, properties));
}

/** Adopts what is new in the list, and lets go what has left it. */
export function update(_id: string, olds: Properties, news: Properties): Promise<Updated> {
  return run(news, (context) => updateSet(context, olds, news));
}

/** Deletes every member of a set. Those that are gone already are a success. */
async function remove(_id: string, outputs: Properties): Promise<void> {
  await run(outputs, (context) => deleteSet(context, outputs));
}
export { remove as delete };
