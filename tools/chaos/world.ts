import type { Emulator } from "../../emulator/index.js";
import type { Adopted } from "../local-stack/index.js";
import { type Arena, openArena, settingsOf } from "./arena.js";
import type { Plan } from "./plan.js";
import { planeId, type Size } from "./setting.js";

/** Any program does: a plain destroy does not run it. */
const PROGRAM = {
  "Pulumi.yaml": "name: chaos\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  "package.json": JSON.stringify({ name: "chaos", private: true }),
  "index.js": "",
};

/** An arena whose stack has adopted control planes. */
export interface World extends Arena {
  readonly planes: readonly string[];
  /** Lets the planned events happen when their requests have come. Returns the function that stops this. */
  playEvents(): () => void;
}

/** Creates the service of one run, with the planned faults, and a stack that has adopted its control planes. */
export async function createWorld(plan: Plan, size: Size, env: NodeJS.ProcessEnv): Promise<World> {
  const planes = Array.from({ length: size.planes }, (_, n) => planeId(n + 1));
  const arena = await openArena({
    ...size,
    program: PROGRAM,
    env,
    settings: settingsOf(plan),
    service: { latencyMs: plan.latencyMs },
  });
  const { emulator, stack } = arena;
  for (const { plane, fault } of plan.faults) {
    emulator.script({ method: "DELETE", id: planeId(plane) }, fault);
  }
  await stack.writeAdopted(emulator.baseUrl, adoptAll(planes, plan));
  await arena.saveState();
  return { ...arena, planes, playEvents: () => playEvents(emulator, plan) };
}

/** So long ago that a 404 needs no second look. */
const CREATED_AT = "2026-01-01T00:00:00Z";

/** Returns a state that holds control planes as resources of their own, or in a number of sets. */
function adoptAll(planes: readonly string[], { sets, created }: Plan): Adopted {
  const named = planes.map((id) => ({ id, name: id.slice(-6) }));
  if (sets === 0) {
    return {
      controlPlanes: named.map(({ id, name }, index) => ({
        resource: `plane-${index + 1}`,
        id,
        name,
        ...(created ? { inputs: { name }, createdAt: CREATED_AT } : { inputs: { controlPlaneId: id } }),
      })),
    };
  }
  return {
    sets: Array.from({ length: sets }, (_, nth) => ({
      resource: `set-${nth + 1}`,
      members: named.filter((_, index) => index % sets === nth),
    })),
  };
}

function playEvents(emulator: Emulator, plan: Plan): () => void {
  let toCome = [...plan.events];
  const timer = setInterval(() => {
    const due = toCome.filter(({ afterRequests }) => emulator.requests.length >= afterRequests);
    toCome = toCome.filter((event) => !due.includes(event));
    for (const event of due) {
      if (event.kind === "outage") {
        emulator.script({ method: "DELETE" }, { status: 503, times: event.requests });
      } else emulator.remove(planeId(event.plane));
    }
  }, 10);
  return () => clearInterval(timer);
}
