import { deleteResource } from "../../../provider/hooks/delete.js";
import { Deletions } from "../../../provider/hooks/deletions.js";
import type { HookContext } from "../../../provider/hooks/context.js";
import { Ledger } from "../../../provider/hooks/ledger.js";
import { Refreshes } from "../../../provider/hooks/refreshes.js";
import { deleteSet } from "../../../provider/hooks/set/delete-set.js";
import type { Properties } from "../../../provider/state/recorded-fields.js";
import { eventLine } from "../../../provider/report/event-line.js";
import { readSettings } from "../../../provider/settings/read-settings.js";
import type { SettingSources } from "../../../provider/settings/settings.js";
import { FakeService, SECRET, type Step } from "../../pure/service/fake-service.js";

export const ID = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
export const OTHER_ID = "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10";
export const EU = "https://eu.api.konghq.com/v2";

/** What the state records of the control plane of the runbook. */
export const PAYMENTS: Properties = { baseUrl: EU, name: "payments" };

/** What the state records of a set of two. */
export const SET: Properties = {
  baseUrl: EU,
  controlPlanes: [
    { id: ID, name: "payments" },
    { id: OTHER_ID, name: "orders" },
  ],
};

/** How a night differs from the usual one, which has a token in the environment and no stack configuration. */
export interface NightOptions {
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly readTokenFile?: SettingSources["readTokenFile"];
}

/** A run of the hooks against scripted answers, in virtual time. Settings, client and retries are the real ones. */
export class Night {
  readonly service: FakeService;
  readonly context: HookContext;
  readonly #printed: string[] = [];

  constructor(steps: readonly Step[], { config = {}, env, readTokenFile }: NightOptions = {}) {
    const print = (line: string | undefined) => {
      if (line !== undefined) this.#printed.push(line);
    };
    const settings = readSettings({
      config: (key) => config[key],
      env: { KONNECT_SPAT: SECRET, ...env },
      readTokenFile: readTokenFile ?? noTokenFile,
      warn: print,
    });
    const { limits, tokens, concurrency } = settings;
    this.service = new FakeService(steps, concurrency, limits);
    this.context = {
      settings,
      client: this.service.client({ limits, tokens }),
      ledger: new Ledger(),
      refreshes: new Refreshes(),
      deletions: new Deletions(),
      said: new Set(),
      urn: undefined,
      epochMs: () => this.service.epochMs,
      monotonicMs: () => this.service.epochMs,
      randomId: () => "00000000-0000-4000-8000-000000000000",
      signal: this.service.stopping.signal,
      deadlineMs: Infinity,
      emit: (event) => print(eventLine(event)),
    };
  }

  /** Runs hooks. Returns what a person reads: the lines, and the error of the hook that failed, if one did. */
  async read(work: (context: HookContext) => unknown): Promise<string> {
    try {
      await work(this.context);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#printed.push(error.message);
    }
    return this.#printed.join("\n");
  }
}

/** Returns what a person reads about a destroy of one control plane that meets these answers. */
export function destroyed(
  steps: readonly Step[],
  options: NightOptions = {},
  recorded: Properties = PAYMENTS,
): Promise<string> {
  return new Night(steps, options).read((context) => deleteResource(context, ID, recorded));
}

/** Returns what a person reads about a destroy of a set of two that meets these answers. */
export function setDestroyed(steps: readonly Step[], recorded: Properties = SET): Promise<string> {
  return new Night(steps).read((context) => deleteSet(context, recorded));
}

/** Returns an answer often enough for every retry. */
export function always(step: Step): readonly Step[] {
  return Array.from({ length: 100 }, () => step);
}

function noTokenFile(): never {
  throw new Error("this night has no token file");
}
