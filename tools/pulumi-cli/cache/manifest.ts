import { chmod, lstat, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256Of } from "../checksum.js";
import { findForeignHand, type TrustedUser } from "./ownership.js";

const MANIFEST = "manifest.json";

/** What a cache entry held when it was made. */
interface Manifest {
  /** The version that the CLI printed then. */
  readonly version: string;
  /** The SHA-256 of each file in `bin`, by name. */
  readonly sha256: Readonly<Record<string, string>>;
}

/** Records what a finished CLI consists of, and takes the right to write to it away from other users. */
export async function writeManifest(folder: string, version: string): Promise<void> {
  const binDir = join(folder, "bin");
  const sha256: Record<string, string> = {};
  for (const name of await readdir(binDir)) {
    await chmod(join(binDir, name), 0o755);
    sha256[name] = await sha256Of(join(binDir, name));
  }
  const manifest: Manifest = { version, sha256 };
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o644 });
  for (const own of [binDir, folder]) await chmod(own, 0o755);
}

/**
 * Returns the version of the CLI in a cache entry, after a check of every file against the manifest.
 *
 * Fails when a file was changed, added or removed since the manifest was written, and when another user owns a part of
 * the entry or may write to it.
 */
export async function verifyEntry(folder: string, user: TrustedUser): Promise<string> {
  const binDir = join(folder, "bin");
  for (const place of [folder, binDir]) await requireOwn(place, "directory", user);
  await requireOwn(join(folder, MANIFEST), "file", user);
  const { version, sha256 } = parseManifest(await readFile(join(folder, MANIFEST), "utf8"));
  const names = new Set([...Object.keys(sha256), ...(await readdir(binDir))]);
  for (const name of names) {
    const file = join(binDir, name);
    await requireOwn(file, "file", user);
    if ((await sha256Of(file)) !== sha256[name]) {
      throw new Error(`${file} is not what was put there: its checksum differs`);
    }
  }
  return version;
}

async function requireOwn(path: string, kind: "file" | "directory", user: TrustedUser): Promise<void> {
  // A link is refused: what it leads to may change without a trace here.
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) throw new Error(`${path} is missing`);
  if (!(kind === "file" ? stats.isFile() : stats.isDirectory())) throw new Error(`${path} is no ${kind}`);
  const reason = findForeignHand(stats, user);
  if (reason !== undefined) throw new Error(`${path} is not safe: ${reason}`);
}

function parseManifest(text: string): Manifest {
  try {
    const { version, sha256 } = JSON.parse(text) as Manifest;
    if (typeof version === "string") return { version, sha256: { ...sha256 } };
  } catch {
    // The text is no JSON, or no object.
  }
  throw new Error(`${MANIFEST} is malformed`);
}
