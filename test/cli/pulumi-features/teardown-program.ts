import * as pulumi from "@pulumi/pulumi";
import { ControlPlane } from "pulumi-konnect-control-planes";

// A program as a user writes it, for mocks.test.ts.

const ids = new pulumi.Config("teardown").requireObject<string[]>("ids");

/** The preview environments, which a nightly destroy deletes. */
export const previews = ids.map(
  (controlPlaneId, index) => new ControlPlane(`preview-${index + 1}`, { controlPlaneId, region: "eu" }),
);

export const names = pulumi.all(previews.map(({ name }) => name));
