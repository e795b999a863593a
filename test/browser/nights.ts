import type { Plan, PlannedControlPlane } from "../../provider/plan/make-plan.js";
import { safe } from "../../provider/text/safe-text.js";
import type { ReportLine } from "../../provider/report/line-model.js";

const START_MS = Date.UTC(2026, 0, 31, 2, 11, 17);

/** How the deletions of a night go, again and again. Each attempt is a status, or undefined when no answer arrived. */
const FATES: readonly {
  readonly answers: readonly (number | undefined)[];
  readonly change: Partial<ReportLine>;
}[] = [
  { answers: [204], change: { outcome: "deleted" } },
  { answers: [503, 503, 204], change: { outcome: "deleted" } },
  {
    answers: [403],
    change: failure(
      "forbidden",
      403,
      "Permission denied",
      "give the system account the Admin role on this control plane, then run again",
      "The role-set of [sa-ci] does not allow this action.",
    ),
  },
  { answers: [404], change: { outcome: "already-gone", traceIds: ["konnect:trace:2287285207635123011"] } },
  { answers: [429, undefined, 204], change: { outcome: "deleted" } },
  { answers: [204], change: { outcome: "deleted" } },
  { answers: [], change: { outcome: "kept" } },
  { answers: [204], change: { outcome: "deleted" } },
  {
    answers: [503, 503, 503, 503, undefined, 503, 503, 503, 503, 503],
    change: failure(
      "unavailable",
      503,
      "Service Unavailable after 10 attempts",
      "run again when the service is available",
      "The service is overloaded. Try again later.",
    ),
  },
  { answers: [204], change: { outcome: "deleted" } },
  { answers: [200], change: { operation: "adopt", outcome: "adopted" } },
  { answers: [502, 204], change: { outcome: "deleted" } },
];

const NAMES = ["payments", "orders", "search", "audit", "checkout", "identity", "catalog"];

/** Names that would do harm, or break the layout, if a page did not show them as text. */
export const HOSTILE_NAMES: readonly string[] = [
  `<img src=x onerror="document.title='owned'">`,
  `</script><script>document.title = "owned"</script>`,
  `" onmouseover="document.title='owned'" x="`,
  `</li></ol><h1>All clear</h1>`,
  "unbreakable".repeat(20),
  "\u202egnp.exe\u2028next line",
  "制御プレーン 🚀",
];

/** Returns the report file of a night with a number of control planes, with {@link HOSTILE_NAMES} among them. */
export function nightOf(count: number): string {
  return Array.from({ length: count }, (_, n) => `${JSON.stringify(lineOf(n))}\n`).join("");
}

function lineOf(n: number): ReportLine {
  const { answers, change } = FATES[n % FATES.length]!;
  const startedMs = START_MS + Math.floor(n / 8) * 350 + (n % 8) * 20;
  const timeline = answers.map((status, at) => ({
    atMs: at === 0 ? 0 : 700 * 2 ** at - 500 + (n % 5) * 60,
    durationMs: 120 + ((n * 37) % 90),
    ...(status !== undefined && { status }),
  }));
  const last = timeline.at(-1);
  const durationMs = last === undefined ? 0 : last.atMs + last.durationMs;
  const status = answers.at(-1);
  return {
    schemaVersion: 1,
    runId: "run-1",
    time: new Date(startedMs + durationMs).toISOString(),
    startedAt: new Date(startedMs).toISOString(),
    operation: "delete",
    outcome: "deleted",
    controlPlane: {
      id: `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`,
      name: nameOf(n),
      address: "https://eu.api.konghq.com/v2",
    },
    ...(status !== undefined && { status }),
    attempts: answers.length,
    durationMs,
    waitedMs: durationMs - timeline.reduce((sum, attempt) => sum + attempt.durationMs, 0),
    traceIds: [],
    tokenSource: "system account token from KONNECT_SPAT",
    ...(timeline.length > 1 && { timeline }),
    ...change,
  };
}

/** Every second name of the first ones is hostile, so that the smallest night has some. */
function nameOf(n: number): string {
  const hostile = n % 2 === 0 ? HOSTILE_NAMES[n / 2] : undefined;
  return hostile ?? `preview-${NAMES[n % NAMES.length]!}-${1_000 + n}`;
}

function failure(
  kind: string,
  status: number,
  title: string,
  next: string,
  detail: string,
): Partial<ReportLine> {
  return {
    outcome: "failed",
    traceIds: [`konnect:trace:${status}2287285207635`],
    problem: { status, title, detail },
    error: { kind, summary: `${status} ${title}`, next },
  };
}

const planned: PlannedControlPlane = {
  outcome: "delete",
  ...{ urn: "urn:pulumi:dev::nightly::x::selected", resource: "selected", type: "ControlPlaneSet" },
  ...{ id: "9524ec7d-36d9-465d-a8c5-83a3c9390458", name: "preview-billing-and-invoicing1" },
  ...{
    address: "https://eu.api.konghq.com/v2",
    region: safe`eu`,
    labels: { env: "preview", team: "payments" },
  },
  ...{ createdAtMs: Date.UTC(2026, 0, 1), nodes: { connected: 0, known: 1 }, guards: {}, remarks: [] },
};

/** A plan with a control plane of each kind. */
export const mixedPlan: Plan = {
  ...{ project: "nightly", stack: "dev", madeAtMs: Date.UTC(2026, 0, 8), isForced: false },
  ...{ otherResources: 0, pendingOperations: [] },
  controlPlanes: [
    planned,
    {
      ...{ ...planned, outcome: "blocked", name: "audit", labels: { env: "prod" } },
      remarks: [
        {
          ...{ kind: "labels no longer match", text: safe`labels no longer match`, standsInTheWay: true },
          detail: safe`env is "prod", not "preview"`,
        },
      ],
    },
    { ...planned, outcome: "keep", name: "kept", labels: {} },
    { ...planned, outcome: "gone", name: "legacy", labels: {} },
  ],
};
