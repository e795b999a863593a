/** The Pulumi CLI that is installed or built here; `go/pulumi/go.mod` pins the same one. */
export const CLI_VERSION = "3.259.0";

/** The Node language host of the Go build, pinned in `go/language-nodejs/go.mod`. */
export const LANGUAGE_HOST_VERSION = "3.68.0";

/**
 * The oldest `pulumi` on PATH that is used.
 *
 * `destroy --run-program` came with 3.160; `preview` and `up` got the flag, and `refresh --run-program` no longer
 * hangs, from 3.169.
 */
export const MINIMUM_PATH_VERSION = "3.169.0";

/** The Go version that the dependencies of the CLI ask for; the `go` line of `go/pulumi/go.mod`. */
export const MINIMUM_GO_VERSION = "1.25.11";

/** Where Pulumi says how to install its CLI. */
export const PULUMI_INSTALL_PAGE = "https://www.pulumi.com/docs/install/";

/** Where Go says how to install it. */
export const GO_INSTALL_PAGE = "https://go.dev/doc/install";

/** The `x.y.z` in what `pulumi version` prints, or undefined when there is none. */
export function parseCliVersion(text: string): string | undefined {
  return /^v?(\d+\.\d+\.\d+)/m.exec(text)?.[1];
}

/** Whether `version` is `minimum` or newer; both are `x.y.z`. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [actual, wanted] = [version, minimum].map((text) => text.split(".").map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (actual?.[index] ?? 0) - (wanted?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
