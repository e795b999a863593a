import { startEmulator, type Emulator, type EmulatorOptions } from "../../../emulator/index.js";
import { send, type Received, type Sending } from "./send-request.js";

/** The id of the control plane that exists at the start of every test. */
export const id = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
/** The path of that control plane. */
export const one = `/control-planes/${id}`;
/** The id of a control plane that does not exist at the start. */
export const other = "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10";
/** A token that may do everything. The name of its role is sa-ci. */
export const token = "spat_sentinel0123456789";

/** Starts an emulator before each test of the suite that constructs it, and closes it after the test. */
export class RunningEmulator {
  #emulator: Emulator | undefined;

  constructor() {
    beforeEach(() => this.#start());
    afterEach(() => this.emulator.close());
  }

  /** The emulator of the current test. */
  get emulator(): Emulator {
    if (this.#emulator === undefined) throw new Error("The emulator runs only within a test.");
    return this.#emulator;
  }

  /** Sends a request, by default with the token. */
  send(sending: Sending): Promise<Received> {
    return send(this.emulator.baseUrl, { token, ...sending });
  }

  /** Sends a GET of the list. */
  list(sending: Sending = {}): Promise<Received> {
    return this.send({ path: "/control-planes", ...sending });
  }

  /** Sends a GET of the control plane. */
  get(sending: Sending = {}): Promise<Received> {
    return this.send({ path: one, ...sending });
  }

  /** Sends a DELETE of the control plane. */
  delete(sending: Sending = {}): Promise<Received> {
    return this.send({ method: "DELETE", path: one, ...sending });
  }

  /** Sends a value as JSON. */
  sendJson(method: string, path: string, value: unknown, sending: Sending = {}): Promise<Received> {
    return this.send({
      method,
      path,
      body: JSON.stringify(value),
      headers: { "content-type": "application/json" },
      ...sending,
    });
  }

  /** Sends a POST that creates a control plane. */
  create(value: unknown, sending: Sending = {}): Promise<Received> {
    return this.sendJson("POST", "/control-planes", value, sending);
  }

  /** Sends a PATCH of the control plane. */
  patch(value: unknown, sending: Sending = {}): Promise<Received> {
    return this.sendJson("PATCH", one, value, sending);
  }

  /** Closes the emulator and starts one with other options. */
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
