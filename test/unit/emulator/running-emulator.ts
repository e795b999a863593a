import { startEmulator, type Emulator, type EmulatorOptions } from "../../../emulator/index.js";
import { send, type Received, type Sending } from "./send-request.js";

/** The control plane that every test begins with. */
export const id = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
/** The path of that control plane. */
export const one = `/control-planes/${id}`;
/** An id that nothing has yet. */
export const other = "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10";
/** A token that may do everything; its role is called sa-ci. */
export const token = "spat_sentinel0123456789";

/** An emulator of its own for each test of the suite that calls this. */
export class RunningEmulator {
  #emulator: Emulator | undefined;

  constructor() {
    beforeEach(() => this.#start());
    afterEach(() => this.emulator.close());
  }

  get emulator(): Emulator {
    if (this.#emulator === undefined) throw new Error("The emulator runs only within a test.");
    return this.#emulator;
  }

  /** Sends a request with the token; default a list. */
  ask(sending: Sending = {}): Promise<Received> {
    return send(this.emulator.baseUrl, { token, ...sending });
  }

  /** Sends a DELETE of the control plane. */
  remove(sending: Sending = {}): Promise<Received> {
    return this.ask({ method: "DELETE", path: one, ...sending });
  }

  /** Begins anew with other options. */
  async restart(options: EmulatorOptions): Promise<void> {
    await this.emulator.close();
    await this.#start(options);
  }

  async #start(options: EmulatorOptions = {}): Promise<void> {
    this.#emulator = await startEmulator({
      tokens: { [token]: { name: "sa-ci" } },
      controlPlanes: [{ id, name: "edge" }],
      ...options,
    });
  }
}
