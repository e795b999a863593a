import type { Socket } from "node:net";

interface Connection {
  readonly ordinal: number;
  readonly isExcess: boolean;
}

/** The open TCP connections, numbered from 1 in the order of their arrival. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  #count = 0;

  /** @param maxOpen the number of open connections that is not exceeded; undefined for no limit */
  constructor(private readonly maxOpen = Infinity) {}

  /** Numbers a new connection and counts it until it closes. */
  add(socket: Socket): void {
    this.#count += 1;
    this.#open.set(socket, { ordinal: this.#count, isExcess: this.#open.size >= this.maxOpen });
    socket.once("close", () => this.#open.delete(socket));
  }

  /** Returns the ordinal of a connection, or 0 if it is already closed. */
  ordinalOf(socket: Socket): number {
    return this.#open.get(socket)?.ordinal ?? 0;
  }

  /** Returns whether the limit was already reached when this connection arrived. */
  isExcess(socket: Socket): boolean {
    return this.#open.get(socket)?.isExcess ?? false;
  }

  /** Closes all connections at once, also those that wait for an answer. */
  destroyAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}
