import * as pulumi from "@pulumi/pulumi";
import { ControlPlane } from "pulumi-konnect-control-planes";

const config = new pulumi.Config();
const teams = config.requireObject<string[]>("teams");
const environments = config.requireObject<string[]>("environments");

const fleet = teams.flatMap((team) =>
  environments.map((env) => {
    // The name of the resource comes from the entry, not from its place in the list. So the order does not matter.
    const name = `${team}-${env}`;
    const controlPlane = new ControlPlane(name, {
      name,
      description: `APIs of the team ${team} (${env})`,
      labels: { team, env },
      deletionPolicy: env === "prod" ? "no-connected-nodes" : "always",
    });
    return [name, controlPlane] as const;
  }),
);

export const ids = Object.fromEntries(fleet.map(([name, { id }]) => [name, id]));
