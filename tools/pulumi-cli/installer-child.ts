import { createRequire } from "node:module";
import { PulumiCommand } from "@pulumi/pulumi/automation/index.js";

/** The class of `semver` that the installer was written against, from the copy that it uses itself. */
type SemVer = NonNullable<NonNullable<Parameters<typeof PulumiCommand.install>[0]>["version"]>;

/** Installs the CLI of a version below a folder: `installer-child.ts <version> <root>`. */
async function install([version, root]: readonly string[]): Promise<void> {
  if (version === undefined || root === undefined) throw new Error("usage: installer-child <version> <root>");
  const semver = createRequire(require.resolve("@pulumi/pulumi"))("semver") as {
    SemVer: new (v: string) => SemVer;
  };
  await PulumiCommand.install({ version: new semver.SemVer(version), root });
}

install(process.argv.slice(2)).catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${text.trim().split("\n").at(0) ?? ""}\n`);
  process.exitCode = 1;
});
