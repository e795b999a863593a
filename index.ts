import {
  ControlPlane,
  ControlPlaneSet,
  getControlPlane,
  selectControlPlanes,
} from "pulumi-konnect-control-planes";
import { type ListedControlPlane, readConfiguration, type Selection } from "./configuration";

// Read at once: Pulumi can take half a minute to end a program that fails asynchronously (docs/internals/pulumi-host.md).
const configuration = readConfiguration();

/** Adopts the control planes that the stack's configuration lists or selects. `pulumi destroy` deletes them. */
export = async () => {
  if (configuration.kind === "list") await adoptListed(configuration.controlPlanes);
  else await adoptSelected(configuration.selection);
};

async function adoptListed(controlPlanes: readonly ListedControlPlane[]): Promise<void> {
  // Every name is looked up before anything is declared: when one is not found, nothing is adopted.
  const found = await Promise.all(
    controlPlanes.map(async ({ id, name, ...args }) => {
      const { region, baseUrl } = args;
      return { id: id ?? (await getControlPlane({ name, region, baseUrl })).id, name, args };
    }),
  );
  for (const { id, name = id, args } of found) new ControlPlane(name, { controlPlaneId: id, ...args });
}

async function adoptSelected({ filters, guards }: Selection): Promise<void> {
  const { region, baseUrl } = filters;
  const selected = await selectControlPlanes(filters);
  // An empty set stays declared: without it, this `up` would delete the control planes that the set had before.
  new ControlPlaneSet("selected", {
    controlPlaneIds: selected.map(({ id }) => id),
    region,
    baseUrl,
    ...guards,
  });
}
