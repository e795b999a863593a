import * as pulumi from "@pulumi/pulumi";
import sinon from "sinon";
import { type Emulator, type SeedControlPlane, startEmulator } from "../../../emulator/index.js";

/** The token of every look-up of these tests. */
export const TOKEN = "spat_SENTINELsentinelSENTINEL0123456789";

/** A program's place in a test: an emulator that the stack configuration names, and what the program prints. */
export interface LookUpScene {
  readonly emulator: Emulator;
  /** The lines on the console. */
  readonly lines: readonly string[];
  /** Sets stack configuration besides the token and the address. */
  readonly configure: (config: Readonly<Record<string, string>>) => void;
}

/**
 * Registers the hooks of a suite in which each test has an emulator of its own, without Pulumi's mocks.
 *
 * @param env environment variables
 * @returns a function that returns the scene of the test that runs
 */
export function lookUpScene(
  controlPlanes: readonly SeedControlPlane[],
  env: Readonly<Record<string, string>> = {},
): () => LookUpScene {
  let scene: LookUpScene | undefined;
  beforeEach(async () => {
    const emulator = await startEmulator({
      tokens: { [TOKEN]: { name: "sa-ci" } },
      controlPlanes: [...controlPlanes],
    });
    const lines: string[] = [];
    const configure = (config: Readonly<Record<string, string>>) =>
      pulumi.runtime.setAllConfig({
        "konnect:baseUrl": emulator.baseUrl,
        "konnect:token": TOKEN,
        ...config,
      });
    leaveTestMode();
    configure({});
    sinon.stub(process, "env").value(env);
    sinon.stub(console, "log").callsFake((line: string) => void lines.push(line));
    scene = { emulator, lines, configure };
  });
  afterEach(async () => {
    sinon.restore();
    leaveTestMode();
    await scene?.emulator.close();
  });
  return () => {
    if (scene === undefined) throw new Error("the scene is created when the tests run");
    return scene;
  };
}

/** Takes back what `setMocks` did: other tests run in the same process. */
export function leaveTestMode(): void {
  pulumi.runtime.resetOptions("", "", -1, "", "", false, "");
  pulumi.runtime.setAllConfig({});
}

/** Returns the error of a look-up that has to fail. */
export async function failureOf(lookUp: Promise<unknown>): Promise<Error> {
  const end = await lookUp.then(
    (found) => new Error(`it succeeded: ${JSON.stringify(found)}`),
    (error: unknown) => error,
  );
  if (!pulumi.RunError.isInstance(end)) {
    throw new Error("not a RunError, so the CLI would print its stack trace", { cause: end });
  }
  if (end.stack !== `Error: ${end.message}`) {
    throw new Error("has stack frames, which Pulumi may need half a minute to inspect", { cause: end });
  }
  return end;
}
