import type { Properties } from "../state/recorded-fields.js";
import { check, type CheckResult } from "../hooks/check.js";
import type { Created, DiffResult, HookContext, ReadResult, Updated } from "../hooks/context.js";
import { deleteResource } from "../hooks/delete.js";
import { readResource } from "../hooks/read.js";
import { createResource, diffResource, updateResource } from "../hooks/resource.js";
import { checkSet, createSet, diffSet, updateSet } from "../hooks/set/adopt-set.js";
import { deleteSet } from "../hooks/set/delete-set.js";
import { readSet } from "../hooks/set/read-set.js";

/** What Pulumi calls for the resources of one type. Every hook rejects with a ControlPlaneError, or with a defect. */
export interface ResourceHooks {
  /** Checks the arguments. Failures name the argument. */
  check(context: HookContext, inputs: Properties): CheckResult;
  /** Compares a resource in the state with its arguments. Rejects when the change is not allowed. */
  diff(
    context: HookContext,
    id: string,
    outputs: Properties,
    inputs: Properties,
  ): DiffResult | Promise<DiffResult>;
  /** Adopts or creates what the arguments name. */
  create(context: HookContext, inputs: Properties): Promise<Created>;
  /** Reads what the state has, or looks a control plane up by its id. Returns an empty id when it is gone. */
  read(context: HookContext, id: string, properties: Properties): Promise<ReadResult>;
  /** Changes what can be changed in place, and records guards. */
  update(context: HookContext, id: string, outputs: Properties, inputs: Properties): Promise<Updated>;
  /** Deletes what the state has. What is gone already is a success. */
  delete(context: HookContext, id: string, outputs: Properties): Promise<void>;
}

/** The hooks of each resource type. Both fronts use them. */
export const RESOURCE_HOOKS: Readonly<Record<"ControlPlane" | "ControlPlaneSet", ResourceHooks>> = {
  ControlPlane: {
    check,
    diff: diffResource,
    create: createResource,
    read: readResource,
    update: updateResource,
    delete: deleteResource,
  },
  ControlPlaneSet: {
    check: checkSet,
    diff: (context, _id, outputs, inputs) => diffSet(context, outputs, inputs),
    create: createSet,
    read: readSet,
    update: (context, _id, outputs, inputs) => updateSet(context, outputs, inputs),
    delete: (context, _id, outputs) => deleteSet(context, outputs),
  },
};
