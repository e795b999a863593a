import { setImmediate } from "node:timers/promises";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../emulator/index.js";
import { createClient } from "../../../provider/service/client.js";
import { createTransport } from "../../../provider/service/http/transport.js";
import { AttemptGate } from "../../../provider/service/retry/attempt-gate.js";
import { fixedToken, limits, SECRET } from "../../pure/service/fake-service.js";
import { FakeContext } from "../../pure/hooks/fake-context.js";

/** A clock whose sleeps are over in the next turn, so that what else is under way goes on. */
class ImpatientClock {
  #skippedMs = 0;
  readonly now = () => performance.now() + this.#skippedMs;
  readonly idleMs = this.now;
  readonly sleep = (ms: number) => {
    this.#skippedMs += ms;
    return setImmediate();
  };
}

/** An emulator, and a hook's context with the real client, over real sockets. Only the waits are skipped. */
export interface Served {
  readonly emulator: Emulator;
  readonly context: FakeContext;
}

const transport = createTransport(4, "served-context");
let marks = 0;

/** Starts an emulator, and creates a context whose client talks to it. The caller closes the emulator. */
export async function serveContext(options: EmulatorOptions = {}): Promise<Served> {
  const emulator = await startEmulator({ ...options, tokens: { [SECRET]: { name: "sa-ci" } } });
  return { emulator, context: contextOf(emulator) };
}

/** Creates another context for an emulator, as another run of Pulumi has it. */
export function contextOf(emulator: Emulator): FakeContext {
  const clock = new ImpatientClock();
  const effects = {
    clock,
    gate: new AttemptGate(4, limits, clock),
    send: transport,
    random: () => 0.5,
    epochMs: Date.now,
  };
  const client = createClient({ limits, tokens: fixedToken(), effects });
  const randomId = () => `mark-${(marks += 1)}`;
  return Object.assign(new FakeContext({ "konnect:baseUrl": emulator.baseUrl }), { client, randomId });
}
