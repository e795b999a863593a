import { type Emulator, startEmulator } from "../../emulator/index.js";
import { createRun } from "../../provider/run/run.js";
import { createSet } from "../../provider/hooks/set/adopt-set.js";
import { deleteSet } from "../../provider/hooks/set/delete-set.js";

const TOKEN = "spat_screenshot";

type Fault = Parameters<Emulator["script"]>[1];

/** The stale control planes of the night, and what their deletions meet. */
const STALE: readonly { readonly name: string; readonly faults?: readonly Fault[] }[] = [
  { name: "preview-catalog-4102" },
  { name: "preview-checkout-4117", faults: [{ status: 503, times: 2 }] },
  { name: "preview-identity-4120" },
  {
    name: "preview-ledger-4123",
    faults: [
      {
        status: 409,
        times: 2,
        body: {
          status: 409,
          title: "Conflict",
          instance: "konnect:trace:7051834419630482216",
          detail: "The control plane is a member of the group all-previews.",
        },
      },
    ],
  },
  { name: "preview-loyalty-4126", faults: [{ status: 429, headers: { "retry-after": "2" } }] },
  { name: "preview-media-4133", faults: [{ reset: "before" }, { status: 502 }] },
  { name: "preview-orders-4138" },
  { name: "preview-payments-4140", faults: [{ status: 503 }] },
  { name: "preview-search-4144", faults: [{ reset: "after" }] },
  { name: "preview-stock-4151" },
];

const FORBIDDEN = ["shared-audit", "shared-billing"];
const GONE = "preview-banner-4099";

const idOf = (n: number) => `${(0x4d1c7a52 + n * 0x1f2e3d).toString(16)}-93b8-4f0e-8c67-51e0d2a9b3f4`;

/**
 * Adopts and deletes control planes of an emulated service, with a refusal, a conflict and temporary failures. The
 * report file is that of a real run, so every renewal has other times.
 *
 * @param reportFile where the report file is written
 */
export async function runEmulatedNight(reportFile: string): Promise<void> {
  const names = [...STALE.map(({ name }) => name), ...FORBIDDEN, GONE];
  const controlPlanes = names.map((name, n) => ({ id: idOf(n), name }));
  const idsOf = (wanted: readonly string[]) =>
    controlPlanes.filter(({ name }) => wanted.includes(name)).map(({ id }) => id);
  const emulator = await startEmulator({
    tokens: { [TOKEN]: { name: "sa-ci", deny: { delete: idsOf(FORBIDDEN) } } },
    controlPlanes,
    latencyMs: 150,
  });
  try {
    const settings = {
      KONNECT_SPAT: TOKEN,
      KONNECT_SERVER_URL: emulator.baseUrl,
      KONNECT_REPORT_FILE: reportFile,
    };
    Object.assign(process.env, settings);
    // What one run adopts, it does not delete.
    const [adopting, deleting] = await Promise.all(
      [1, 2].map(() =>
        createRun({
          config: () => undefined,
          stopping: new AbortController().signal,
          print: () => undefined,
        }),
      ),
    );
    if (adopting === undefined || deleting === undefined) throw new Error("there are two runs");
    const inputs = { controlPlaneIds: controlPlanes.map(({ id }) => id) };
    const { outs } = await adopting.runHook(undefined, (context) => createSet(context, inputs));
    for (const id of idsOf([GONE])) emulator.remove(id);
    for (const [n, { faults = [] }] of STALE.entries()) {
      for (const fault of faults) emulator.script({ method: "DELETE", id: idOf(n) }, fault);
    }
    await deleting
      .runHook(undefined, (context) => deleteSet(context, outs))
      .catch((error: unknown) => console.log(String(error)));
  } finally {
    await emulator.close();
  }
}
