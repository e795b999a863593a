import type { Emulator, SeedControlPlane } from "../../../emulator/index.js";
import { TOKEN } from "../scene.js";

/** What becomes of a control plane: the night that deletes it, or that it stays. */
export type Fate = "first night" | "second night" | "third night" | "stays";

/** A control plane of the guide's organization, and what has to become of it. */
interface Planned extends Omit<SeedControlPlane, "name"> {
  readonly fate: Fate;
}

const PREVIEW = { env: "preview" };
const CONNECTED = [{ hostname: "node-1", lastPingSecondsAgo: 20 }];

/** Returns a day from now on, as the label `delete-after` has it. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const several = (count: number, name: string, planned: Planned) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}-${n}`, planned]));

/** All kinds of control planes, by name. The group comes after its members. */
const PLANNED: Readonly<Record<string, Planned>> = {
  ...several(3, "old", { labels: PREVIEW, age: "80d", fate: "first night" }),
  "old-keep-false": { labels: { ...PREVIEW, keep: "false" }, age: "80d", fate: "first night" },
  "due-yesterday": {
    labels: { ...PREVIEW, "delete-after": dayIn(-1) },
    age: "1d",
    fate: "first night",
  },
  ...several(23, "stale", { labels: PREVIEW, age: "20d", fate: "second night" }),
  // Excluded after the second night, in which it may not be deleted.
  "preview-shared": { labels: PREVIEW, age: "20d", fate: "stays" },
  // Its nodes leave after the second night.
  "connected-at-first": { labels: PREVIEW, age: "20d", nodes: CONNECTED, fate: "third night" },
  // Its owner gives it the label `keep` after the second night.
  "connected-for-long": { labels: PREVIEW, age: "20d", nodes: CONNECTED, fate: "stays" },
  "kept-true": { labels: { ...PREVIEW, keep: "true" }, age: "80d", fate: "stays" },
  "kept-by-name": { labels: { ...PREVIEW, keep: "ask-anna" }, age: "80d", fate: "stays" },
  "due-next-week": { labels: { ...PREVIEW, "delete-after": dayIn(7) }, age: "80d", fate: "stays" },
  "due-someday": { labels: { ...PREVIEW, "delete-after": "someday" }, age: "80d", fate: "stays" },
  ...several(5, "young", { labels: PREVIEW, age: "2d", fate: "stays" }),
  ...several(12, "production", { labels: { env: "production" }, age: "80d", fate: "stays" }),
  ...several(4, "unlabeled", { age: "80d", fate: "stays" }),
  "other-spelling": { labels: { env: "Preview" }, age: "80d", fate: "stays" },
  "other-label": { labels: { stage: "preview" }, age: "80d", fate: "stays" },
  "young-and-connected": { labels: PREVIEW, age: "2d", nodes: CONNECTED, fate: "stays" },
  // Its owner gives it the label `keep` after the second night.
  "group-of-others": {
    labels: PREVIEW,
    age: "20d",
    clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP",
    fate: "stays",
  },
};

/** Returns the names of the control planes that exist after a night. */
export function namesAfter(night: Exclude<Fate, "stays">): readonly string[] {
  const nights: readonly Fate[] = ["first night", "second night", "third night"];
  const gone = nights.slice(0, nights.indexOf(night) + 1);
  return Object.keys(PLANNED).filter((name) => !gone.includes(PLANNED[name]?.fate ?? "stays"));
}

/** Puts the control planes into an emulator. Returns their names by id. */
export function addSixty(emulator: Emulator): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const [name, planned] of Object.entries(PLANNED)) {
    const seed: SeedControlPlane & { fate?: Fate } = { ...planned, name };
    delete seed.fate;
    const isGroup = seed.clusterType !== undefined;
    const members = ["production-0", "production-1"].flatMap((member) => ids.get(member) ?? []);
    ids.set(name, emulator.add({ ...seed, ...(isGroup && { members }) }).id);
  }
  const denied = ids.get("preview-shared") ?? "";
  emulator.grant(TOKEN, { name: "sa-ci", deny: { delete: [denied] } });
  return new Map([...emulator.controlPlanes.values()].map(({ id, name }) => [id, name]));
}

/** Does what people do between the second and the third night. */
export function changeBeforeThirdNight(emulator: Emulator): void {
  for (const { id, name, labels } of emulator.controlPlanes.values()) {
    if (name === "connected-at-first") emulator.change(id, { nodes: [] });
    if (name === "connected-for-long" || name === "group-of-others") {
      emulator.change(id, { labels: { ...labels, keep: "true" } });
    }
  }
}
