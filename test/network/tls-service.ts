import { connect, type AddressInfo, type Socket } from "node:net";
import tls from "node:tls";
import { type Certificate, identity } from "./certificates.js";

/** A TLS terminator in front of a plain HTTP service on this machine. */
export interface TlsService {
  readonly port: number;
  /** The number of TCP connections so far, trusted or not. */
  readonly connections: number;
  /** Returns every byte that clients have sent, decrypted. */
  received(): Buffer;
  close(): Promise<void>;
}

/**
 * Starts a TLS service with a certificate of the network tests.
 *
 * @param backend address of the plain service, for example an emulator's
 */
export async function startTlsService(
  backend: string,
  certificate: Certificate = "service",
): Promise<TlsService> {
  const { port: backendPort, hostname } = new URL(backend);
  const received: Buffer[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  // Node does not serve the weak certificate otherwise.
  const ciphers = "DEFAULT@SECLEVEL=0";
  const server = tls.createServer({ ...identity(certificate), ciphers }, (secure) => {
    const plain = connect(Number(backendPort), hostname);
    secure.on("data", (bytes: Buffer) => received.push(bytes));
    secure.pipe(plain).pipe(secure);
    secure.on("error", () => plain.destroy());
    plain.on("error", () => secure.destroy());
  });
  server.on("connection", (socket: Socket) => {
    connections += 1;
    open.add(socket);
  });
  server.on("tlsClientError", () => undefined); // a client that does not trust the certificate
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    received: () => Buffer.concat(received),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
