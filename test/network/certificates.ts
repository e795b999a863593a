import { readFileSync } from "node:fs";
import path from "node:path";

const FOLDER = path.join(__dirname, "certificates");

/** The file of the authority that signed all certificates. NODE_EXTRA_CA_CERTS names it where they are to be trusted. */
export const AUTHORITY = path.join(FOLDER, "authority.pem");

/** The file of the certificate `region`, which signs itself. NODE_EXTRA_CA_CERTS names it where it is to be trusted. */
export const REGION = path.join(FOLDER, "region.pem");

/**
 * A certificate of the network tests. `service` is valid for konnect.example.test, localhost and 127.0.0.1, `proxy` for
 * localhost and 127.0.0.1 only, and `region` for eu.api.konghq.com. `other-purpose` is one for clients, and `weak` is
 * signed with SHA-1.
 */
export type Certificate =
  "service" | "proxy" | "region" | "other-host" | "expired" | "not-yet-valid" | "other-purpose" | "weak";

/** Returns a certificate with its key, as a TLS server takes them. `certificates/make.sh` makes them. */
export function identity(name: Certificate): { cert: Buffer; key: Buffer } {
  const read = (file: string) => readFileSync(path.join(FOLDER, `${file}.pem`));
  return { cert: read(name), key: read("key") };
}
