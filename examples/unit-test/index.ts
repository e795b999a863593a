import * as pulumi from "@pulumi/pulumi";
import { declarePreview } from "./declare-preview";

export = async () => {
  const config = new pulumi.Config();
  const preview = await declarePreview(config.require("team"), config.requireNumber("pullRequest"));
  return { id: preview.id, controlPlaneEndpoint: preview.controlPlaneEndpoint };
};
