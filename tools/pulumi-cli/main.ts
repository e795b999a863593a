import { findPulumiCli } from "./index.js";

/** Prints the path of a Pulumi CLI that runs. Progress goes to standard error. */
async function main(): Promise<void> {
  const cli = await findPulumiCli();
  process.stdout.write(`${cli.path}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
