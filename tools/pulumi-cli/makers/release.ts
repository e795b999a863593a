import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../../commands.js";
import { sha256Of } from "../checksum.js";
import { executableOnPath } from "../executables.js";
import { CLI_VERSION, RELEASE_CHECKSUMS } from "../versions.js";
import { type CliMaker, reportElapsed, type Workshop } from "./maker.js";
import { writePluginScript } from "./plugin-script.js";

const DOWNLOAD_TIMEOUT_MS = 600_000;
const UNPACK_TIMEOUT_MS = 300_000;

/** The files of a release that dynamic resources in Node need. It has many more, for other languages. */
const NEEDED = ["pulumi", "pulumi-language-nodejs"];

/** A download of Pulumi's release, checked against the checksum that is pinned in this repository. */
export const release: CliMaker = {
  source: "download",
  attempt: `a download of Pulumi v${CLI_VERSION}`,
  make: (workshop) => downloadRelease(workshop, RELEASE_CHECKSUMS),
};

/** Downloads the archive of this platform, compares its SHA-256 with the one in `checksums`, and only then unpacks it. */
export async function downloadRelease(
  workshop: Workshop,
  checksums: Readonly<Record<string, string>>,
): Promise<void> {
  const { staging, why, env, signal, report } = workshop;
  const platform = `${process.platform}-${process.arch}`;
  const expected = checksums[platform];
  if (expected === undefined) throw new Error(`no checksum is pinned for ${platform}`);
  const [curl, tar] = ["curl", "tar"].map((name) => required(name, env)) as [string, string];
  report(`Pulumi CLI: ${why}; downloading v${CLI_VERSION} (once; kept in ${workshop.cache})`);

  const url = `https://get.pulumi.com/releases/sdk/pulumi-v${CLI_VERSION}-${platform}.tar.gz`;
  const archive = join(staging, "release.tar.gz");
  const options = ["--fail", "--silent", "--show-error", "--location", "--proto", "=https", "--retry", "2"];
  const download = runCommand(curl, [...options, "--output", archive, url], {
    env,
    signal,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
  });
  await reportElapsed("downloading", report, download);
  const actual = await sha256Of(archive);
  if (actual !== expected) throw new Error(`${url} has the SHA-256 ${actual}, not ${expected}: not used`);

  const unpacked = join(staging, "unpacked");
  const binDir = join(staging, "bin");
  for (const folder of [unpacked, binDir]) await mkdir(folder);
  await runCommand(tar, ["-xzf", archive, "-C", unpacked], { env, signal, timeoutMs: UNPACK_TIMEOUT_MS });
  for (const name of NEEDED) await rename(join(unpacked, "pulumi", name), join(binDir, name));
  await writePluginScript(binDir);
  for (const leftover of [archive, unpacked]) await rm(leftover, { recursive: true });
}

function required(name: string, env: NodeJS.ProcessEnv): string {
  const found = executableOnPath(name, env);
  if (found === undefined) throw new Error(`${name} is not on PATH`);
  return found;
}
