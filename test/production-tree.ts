import path from "node:path";

/** What `package-lock.json` says, as far as the tests read it. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A package that is installed with another one. */
export interface Dependency extends LockedPackage {
  readonly name: string;
}

/**
 * Lists what a package brings along, peers aside, each as Node would find it.
 *
 * @param root the package's place in the lock file, for example `provider`
 */
export function productionTree({ packages }: LockFile, root: string): readonly Dependency[] {
  const find = (from: string, name: string): string => {
    const place = path.posix.join(from, "node_modules", name);
    if (packages[place] !== undefined) return place;
    if (from === ".") throw new Error(`the lock file has no ${name}`);
    return find(path.posix.dirname(from), name);
  };
  const found = new Map<string, Dependency>();
  const visit = (place: string): void => {
    for (const name of Object.keys(packages[place]?.dependencies ?? {})) {
      const next = find(place, name);
      if (found.has(next)) continue;
      found.set(next, { ...packages[next], name });
      visit(next);
    }
  };
  visit(root);
  return [...found.values()];
}
