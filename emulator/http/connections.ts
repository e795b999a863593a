import type { Socket } from "node:net";

interface Connection {
  ordinal: number;
  excess: boolean;
}

/** The TCP connections that are open, numbered from 1 in the order in which they came. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  #count = 0;

  /** @param maxOpen undefined for no limit */
  constructor(private readonly maxOpen: number | undefined) {}

  /** Counts a new connection until it is closed. */
  admit(socket: Socket): void {
    this.#count += 1;
    this.#open.set(socket, { ordinal: this.#count, excess: this.#open.size >= (this.maxOpen ?? Infinity) });
    socket.once("close", () => this.#open.delete(socket));
  }

  /** The ordinal of a connection, from 1; 0 for one that is closed already. */
  ordinalOf(socket: Socket): number {
    return this.#open.get(socket)?.ordinal ?? 0;
  }

  /** Whether more connections than allowed were open when this one came. */
  isExcess(socket: Socket): boolean {
    return this.#open.get(socket)?.excess ?? false;
  }

  /** Closes all of them, whatever they are doing. */
  destroyAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}
