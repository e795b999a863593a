import { Server, ServerCredentials } from "@grpc/grpc-js";
import { expect } from "chai";
import { type Emulator, type Role, startEmulator } from "../../emulator/index.js";
import { type Front, HostProcess, type HostOptions, PROVIDER, type Properties } from "./spawned-host.js";

/** A token that the tests search for in everything that must not show it. */
export const TOKEN = "spat_SENTINELsentinelSENTINELsentinelSENTINEL0123456789";

/** The id of the nth control plane of a scene. */
export function idOf(n: number): string {
  return `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`;
}

/** Describes the nth control plane of a scene, as messages do. */
export function describePlane(n: number): string {
  return `control plane "plane-${n}" (${idOf(n)})`;
}

/** One emulator, and the processes that work with it. */
export interface Scene {
  readonly emulator: Emulator;
  /** Starts a host whose environment has the token and the address. Its stack configuration is empty. */
  start(options?: HostOptions): Promise<HostProcess>;
  /** Returns the nth control plane as the state records it. */
  stored(n: number): Properties;
  /** Deletes the nth control plane. */
  delete(host: HostProcess, n: number): Promise<void>;
  /** Ends the processes and the emulator. Expects that no process has shown the token. */
  end(): Promise<void>;
}

/** How a scene differs from the usual one. */
export interface SceneOptions {
  /** Default: 1. */
  readonly planes?: number;
  readonly role?: Role;
  /** Default: Pulumi's dynamic-provider host. */
  readonly front?: Front;
}

/** Starts a scene with control planes 1 to `planes`, whose processes are of one front. */
export async function setScene({
  planes = 1,
  role = { name: "sa-ci" },
  front = "dynamic",
}: SceneOptions = {}): Promise<Scene> {
  const hosts: HostProcess[] = [];
  const emulator = await startEmulator({
    tokens: { [TOKEN]: role },
    controlPlanes: Array.from({ length: planes }, (_, index) => ({
      id: idOf(index + 1),
      name: `plane-${index + 1}`,
    })),
  });
  const stored = (n: number) => ({
    __provider: PROVIDER,
    baseUrl: emulator.baseUrl,
    name: `plane-${n}`,
  });

  return {
    emulator,
    stored,
    async start({ env, ...options } = {}) {
      const settings = { KONNECT_SPAT: TOKEN, KONNECT_SERVER_URL: emulator.baseUrl };
      const host = await HostProcess.start({ front, ...options, env: { ...settings, ...env } });
      hosts.push(host);
      await host.configure({});
      return host;
    },
    delete: (host, n) => host.delete(idOf(n), stored(n)),
    async end() {
      await Promise.all([...hosts.map((host) => host.end()), emulator.close()]);
      for (const { transcript } of hosts) expect(transcript).not.to.contain(TOKEN);
    },
  };
}

/** Starts a server that a host watches like Pulumi's engine. */
export async function startEngine(): Promise<{ readonly engine: Server; readonly address: string }> {
  const engine = new Server();
  const port = await new Promise<number>((resolve, reject) => {
    engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { engine, address: `127.0.0.1:${port}` };
}

/** Returns the time that a promise takes from now on, in milliseconds. */
export async function elapsedMs(promise: Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await promise;
  return performance.now() - startedMs;
}
