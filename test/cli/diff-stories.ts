import type { Fault } from "../../emulator/index.js";
import { startCommand } from "../../tools/commands.js";
import { createScene, idOf, type Scene, TOKEN } from "./scene.js";

/** How a command of a story ended. */
export interface Shown {
  readonly exitCode: number | undefined;
  /** What the CLI printed, in the order in which it printed it. */
  readonly output: string;
}

/** The commands of a story and what they showed. A command that runs again has a number after it, as in `preview (2)`. */
export type Story = ReadonlyMap<string, Shown>;

type Pulumi = (command: string) => Promise<Shown>;

/** What a story has: a control plane `edge`, unless it says otherwise. */
interface Teller {
  readonly options: Parameters<typeof createScene>[0];
  readonly tell: (scene: Scene, pulumi: Pulumi) => Promise<void>;
}

const EDGE = { name: "edge", labels: { team: "payments" } };

/** Answers with a problem document of the service that the emulator does not send by itself. */
const MAINTAINED = problem(503, "Service Unavailable", {
  detail: "The region is being maintained until noon.",
});
const INVALID_LABEL = problem(400, "Bad Request", {
  detail: "Invalid Parameters",
  invalid_parameters: [
    { field: "labels.team", reason: "is not a team of this organization", rule: "invalid" },
  ],
});

function problem(status: number, title: string, more: object): Fault {
  return { status, body: { status, title, instance: "konnect:trace:2287285207635123011", ...more } };
}

/** The stories by the headings of docs/diffs.md. Each shows one of the ways in which a problem reaches a diff. */
const STORIES = {
  "A mistake in the program": {
    options: { planes: 0 },
    async tell(scene, pulumi) {
      scene.declare({ edge: { name: "x", labels: { "konnect-team": "payments" }, color: "red" } });
      for (const command of ["preview --diff", "preview --json", "up --yes --diff"]) await pulumi(command);
    },
  },
  "A change that deletes": {
    options: { planes: 0 },
    async tell(scene, pulumi) {
      const { id } = scene.emulator.add(EDGE);
      const recorded = { labels: EDGE.labels, clusterType: "CLUSTER_TYPE_CONTROL_PLANE", __given: "labels" };
      const createdAt = "2026-01-01T00:00:00Z";
      await scene.stack.writeAdopted(scene.emulator.baseUrl, {
        controlPlanes: [{ resource: "edge", id, name: "edge", inputs: EDGE, outputs: recorded, createdAt }],
      });
      scene.declare({ edge: { ...EDGE, clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP" } });
      await pulumi("preview --diff");
      scene.emulator.grant(TOKEN, { name: "sa-ci", read: false });
      for (const command of ["preview", "preview --diff", "preview --json"]) await pulumi(command);
      scene.emulator.grant(TOKEN, { name: "sa-ci" });
      scene.emulator.script({ method: "GET" }, MAINTAINED);
      await pulumi("preview --diff");
      await pulumi("up --yes --skip-preview --diff");
    },
  },
  "A control plane that may not be read": {
    options: { planes: 1 },
    async tell(scene, pulumi) {
      await scene.adopt({ edge: { controlPlaneId: idOf(1) } });
      scene.emulator.grant(TOKEN, { name: "sa-ci", read: false });
      await pulumi("refresh --yes --skip-preview --diff");
      for (const command of ["preview --json", "up --yes --skip-preview --diff"]) await pulumi(command);
      scene.emulator.grant(TOKEN, { name: "sa-ci" });
      await pulumi("refresh --yes --skip-preview --diff");
    },
  },
  "A creation that stops half-way": {
    options: { planes: 0, service: { createDropsLabels: ["team"] } },
    async tell(scene, pulumi) {
      scene.declare({ edge: EDGE });
      scene.emulator.script({ operation: "update-control-plane" }, INVALID_LABEL);
      await pulumi("up --yes --skip-preview --diff");
      for (const command of ["preview --diff", "preview --json"]) await pulumi(command);
      await pulumi("refresh --diff --preview-only");
      await pulumi("up --yes --skip-preview --diff");
    },
  },
  "Before a teardown": {
    options: { planes: 1 },
    async tell(scene, pulumi) {
      await scene.adopt({ edge: { controlPlaneId: idOf(1) } });
      scene.emulator.grant(TOKEN, { name: "sa-ci", read: false });
      await pulumi("destroy --refresh --diff --preview-only");
    },
  },
} satisfies Readonly<Record<string, Teller>>;

/** A heading of docs/diffs.md. */
export type Heading = keyof typeof STORIES;

/** The headings of docs/diffs.md that have a story. */
export const HEADINGS = Object.keys(STORIES) as readonly Heading[];

/**
 * Plays all stories side by side, each in a scene of its own.
 *
 * @returns the stories, and the scenes as they are afterwards
 */
export async function playStories() {
  const played = await Promise.all(
    HEADINGS.map(async (heading) => {
      const { options, tell }: Teller = STORIES[heading];
      const scene = await createScene(options);
      const story = new Map<string, Shown>();
      await tell(scene, async (command) => {
        const shown = await run(scene, command);
        const earlier = [...story.keys()].filter((key) => key.replace(/ \(\d+\)$/, "") === command).length;
        story.set(earlier === 0 ? command : `${command} (${earlier + 1})`, shown);
        return shown;
      });
      return [heading, { scene, story }] as const;
    }),
  );
  return new Map(played);
}

/** Runs `pulumi` with one stream for everything that it prints, so that the order is the CLI's own. */
async function run({ stack, emulator }: Scene, command: string): Promise<Shown> {
  const args = [...command.split(" "), "--non-interactive"];
  const { exitCode, output } = await startCommand("sh", ["-c", 'exec pulumi "$@" 2>&1', "sh", ...args], {
    cwd: stack.folder,
    env: { ...stack.env, KONNECT_SPAT: TOKEN, KONNECT_SERVER_URL: emulator.baseUrl },
    timeoutMs: 120_000,
  }).result;
  return { exitCode, output };
}
