import type { Stack } from "@pulumi/pulumi/automation/index.js";

/**
 * Returns a stack that runs Pulumi with more environment variables. Neither the given stack nor its workspace changes, so
 * that stacks of one workspace can be destroyed side by side.
 */
export function withEnvironment(stack: Stack, variables: Readonly<Record<string, string>>): Stack {
  const envVars = { ...stack.workspace.envVars, ...variables };
  const workspace = derive(stack.workspace, { envVars });
  return derive(stack, { workspace });
}

/** Returns an object that behaves like another one, except for some of its properties. */
function derive<Base extends object>(base: Base, changed: Partial<Base>): Base {
  return Object.create(base, Object.getOwnPropertyDescriptors(changed)) as Base;
}
