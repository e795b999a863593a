export type { Adopted, AdoptedControlPlane, AdoptedSet } from "./adopted-state.js";
export type { CommandResult, RunningCommand } from "../commands.js";
export { controlPlaneIdsOf, type StackState, type StoredResource } from "./checkpoint.js";
export { createLocalStack, type LocalStack, type LocalStackOptions } from "./local-stack.js";
