import * as pulumi from "@pulumi/pulumi";
import { ControlPlane } from "pulumi-konnect-control-planes";

const config = new pulumi.Config();
const teams = config.getObject<string[]>("teams") ?? ["payments", "orders"];

const members = teams.map((team) => new ControlPlane(team, { name: team, labels: { team } }));
const group = new ControlPlane("all-teams", {
  name: "all-teams",
  clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP",
  members: members.map(({ id }) => id),
});

export const id = group.id;
export const memberIds = group.members;
