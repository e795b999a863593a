import type { Profiler } from "node:inspector";

/** The parts of the host's time, in the order in which they are shown. */
export const PARTS = [
  "start of Pulumi's host",
  "loading this package and axios",
  "Pulumi's calls: gRPC and protobuf",
  "axios, and what Node does for it",
  "this package and p-retry, and what Node does for them",
  "Node's sockets, timers and promises",
  "garbage collection",
  "idle",
] as const;

/** Where the host was when a sample was taken. */
export type Part = (typeof PARTS)[number];

/** What is known of a function on the stack. */
type Frame = Pick<Profiler.ProfileNode["callFrame"], "functionName" | "url">;

/** Returns the milliseconds of each part of a CPU profile. */
export function timeOfParts(profile: Profiler.Profile): ReadonlyMap<Part, number> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const times = new Map<Part, number>(PARTS.map((part) => [part, 0]));
  const { samples = [], timeDeltas = [] } = profile;
  for (const [index, sample] of samples.entries()) {
    const stack: Frame[] = [];
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const node = nodes.get(id);
      if (node !== undefined) stack.push(node.callFrame);
    }
    const part = partOf(stack);
    times.set(part, (times.get(part) ?? 0) + (timeDeltas[index] ?? 0) / 1_000);
  }
  return times;
}

/** Returns the part that a stack belongs to. @param stack from the innermost function to the outermost one */
export function partOf(stack: readonly Frame[]): Part {
  const [innermost] = stack;
  if (innermost?.functionName === "(idle)") return "idle";
  if (innermost?.functionName === "(garbage collector)") return "garbage collection";
  const owners = stack.map(({ url }) => ownerOf(url)).filter((owner) => owner !== undefined);
  if (stack.some(({ functionName }) => functionName === "Module._load")) {
    return owners.some((owner) => owner !== "pulumi")
      ? "loading this package and axios"
      : "start of Pulumi's host";
  }
  const [nearest = "node"] = owners;
  return PART_OF[nearest];
}

type Owner = "this package" | "axios" | "pulumi";

const PART_OF: Readonly<Record<Owner | "node", Part>> = {
  "this package": "this package and p-retry, and what Node does for them",
  axios: "axios, and what Node does for it",
  pulumi: "Pulumi's calls: gRPC and protobuf",
  node: "Node's sockets, timers and promises",
};

/** Returns who owns a file. Undefined for Node itself. */
function ownerOf(url: string): Owner | undefined {
  if (url.startsWith("node:") || !url.includes("/")) return undefined;
  if (/\/(provider\/dist|node_modules\/(pulumi-konnect-control-planes|p-retry))\//.test(url)) {
    return "this package";
  }
  return /\/node_modules\/(axios|form-data|follow-redirects|https-proxy-agent)\//.test(url)
    ? "axios"
    : "pulumi";
}
