import * as pulumi from "@pulumi/pulumi";
import { ControlPlane, getControlPlane, selectControlPlanes } from "pulumi-konnect-control-planes";

/** A team may have this many previews at a time. */
const MOST_PREVIEWS = 3;

/**
 * Declares the control plane of a pull request. It has the labels of the team's own control plane.
 *
 * @throws pulumi.RunError when the team has too many previews already
 */
export async function declarePreview(team: string, pullRequest: number): Promise<ControlPlane> {
  const own = await getControlPlane({ name: team });
  const name = `${team}-pr-${pullRequest}`;
  const previews = await selectControlPlanes({ labels: { env: "preview", team } });
  const others = previews.map((preview) => preview.name).filter((other) => other !== name);
  if (others.length >= MOST_PREVIEWS) {
    throw new pulumi.RunError(`the team ${team} has ${others.length} previews already: ${others.join(", ")}`);
  }
  return new ControlPlane(name, {
    name,
    labels: { ...own.labels, env: "preview", team },
    onlyIfLabels: { env: "preview" },
  });
}
