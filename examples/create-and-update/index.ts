import * as pulumi from "@pulumi/pulumi";
import { ControlPlane } from "pulumi-konnect-control-planes";

const config = new pulumi.Config();
const edge = new ControlPlane("edge", {
  name: config.get("name") ?? "edge",
  description: "Public APIs",
  labels: { team: config.get("team") ?? "payments", env: "preview" },
  authType: "pinned_client_certs",
  onlyIfLabels: { env: "preview" },
});

export const id = edge.id;
export const controlPlaneEndpoint = edge.controlPlaneEndpoint;
