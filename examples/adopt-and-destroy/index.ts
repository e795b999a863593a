import * as pulumi from "@pulumi/pulumi";
import { ControlPlane } from "pulumi-konnect-control-planes";

const config = new pulumi.Config();
const legacy = new ControlPlane("legacy", { controlPlaneId: config.require("controlPlaneId") });

export const name = legacy.name;
