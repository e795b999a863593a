import { readFileSync } from "node:fs";
import path from "node:path";

const FOLDER = path.join(__dirname, "certificates");

/** The file of the authority that signed all certificates. NODE_EXTRA_CA_CERTS names it where they are to be trusted. */
export const AUTHORITY = path.join(FOLDER, "authority.pem");

/**
 * A certificate of the network tests. `service` is valid for konnect.example.test, localhost and 127.0.0.1, `proxy` for
 * localhost and 127.0.0.1 only. `other-purpose` is one for clients, and `weak` is signed with SHA-1.
 */
export type Certificate =
  "service" | "proxy" | "other-host" | "expired" | "not-yet-valid" | "other-purpose" | "weak";

/** Returns a certificate with its key, as a TLS server takes them. `certificates/make.sh` makes them. */
export function identity(name: Certificate): { cert: Buffer; key: Buffer } {
  const read = (file: string) => readFileSync(path.join(FOLDER, `${file}.pem`));
  return { cert: read(name), key: read("key") };
}
