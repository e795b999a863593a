/** The Pulumi CLI that is downloaded or built. `go/pulumi/go.mod` pins the same version. */
export const CLI_VERSION = "3.259.0";

/**
 * The SHA-256 of the archives of this version, by platform and processor as Node names them.
 *
 * Source: `Formula/pulumi.rb` in https://github.com/pulumi/homebrew-tap, at the commit for this version. The release on
 * GitHub lists the same in `pulumi-<version>-checksums.txt`.
 */
export const RELEASE_CHECKSUMS: Readonly<Record<string, string>> = {
  "darwin-arm64": "57c27f179e527e2cf9f62b841a448af72a020e44b2fb4ee0d9bd85556c00c864",
  "darwin-x64": "eaca4c3b8277bfa3ab061fa3b270d1c66358a0b2e613da8c5587a04b7226c534",
  "linux-arm64": "edc8327463a72160bb36cf82cf5062da9c8a244290a706d9980988e7bf486853",
  "linux-x64": "94ba357acac23d01474084c4b00098dc0f7bc70ce13f34c777459254a5f718e5",
};

/** The Node language host that is built with Go, pinned in `go/language-nodejs/go.mod`. */
export const LANGUAGE_HOST_VERSION = "3.68.0";

/**
 * The oldest `pulumi` on PATH that is used.
 *
 * `destroy --run-program` came with 3.160. From 3.169 on, `preview` and `up` know that flag too, and
 * `refresh --run-program` does not hang.
 */
export const MINIMUM_PATH_VERSION = "3.169.0";

/** The Go version that the dependencies of the CLI ask for: the `go` line of `go/pulumi/go.mod`. */
export const MINIMUM_GO_VERSION = "1.25.11";

/** The page on which Pulumi explains how to install its CLI. */
export const PULUMI_INSTALL_PAGE = "https://www.pulumi.com/docs/install/";

/** The page on which Go explains how to install it. */
export const GO_INSTALL_PAGE = "https://go.dev/doc/install";

/** Returns the `x.y.z` in what `pulumi version` prints, or undefined when there is none. */
export function parseCliVersion(text: string): string | undefined {
  return /^v?(\d+\.\d+\.\d+)/m.exec(text)?.[1];
}

/** Returns whether `version` is `minimum` or newer. Both are `x.y.z`. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [actual, wanted] = [version, minimum].map((text) => text.split(".").map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (actual?.[index] ?? 0) - (wanted?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
