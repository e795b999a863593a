import type { AddressInfo, Server, Socket } from "node:net";

/** A server of one test. */
export interface RawServer {
  readonly port: number;
  /** Closes the server and every connection. */
  close(): Promise<void>;
}

/** Starts a server of Node's on a free port of this machine. */
export async function startServer(server: Server): Promise<RawServer> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
