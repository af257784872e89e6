/**
 * The TCP connections under WebSockets. A client that does not close its side when its session has
 * ended is cut off: the library would keep the connection, and what was to be sent, for half a
 * minute.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIVE_CLOSE_WAIT_MS } from './limits.ts';

export interface Wires {
  add(request: IncomingMessage, wire: Duplex): void;
  /** Of a session that began as a WebSocket. */
  of(session: Pick<Carried, 'request'>): Duplex | undefined;
  /** The session is over: its connection ends within {@link LIVE_CLOSE_WAIT_MS}. */
  release(session: Carried): void;
  /** Resolves when all are closed, by themselves or cut off. */
  closed(): Promise<void>;
}

/** A connection of Engine.IO. */
export interface Carried {
  readonly id: string;
  /** Its first: that of the WebSocket, unless it began by polling. */
  readonly request: IncomingMessage;
}

export const wires = (): Wires => {
  const all = new Set<Duplex>();
  const carriers = new Map<IncomingMessage | string, Duplex>();

  const cutOffLater = (wire: Duplex): Promise<void> =>
    new Promise((closed) => {
      const timer = setTimeout(() => wire.destroy(), LIVE_CLOSE_WAIT_MS);
      wire.once('close', () => {
        clearTimeout(timer);
        closed();
      });
    });

  return {
    of: ({ request }) => carriers.get(request),

    add(request, wire) {
      // What began by polling is named in the request that asks for more.
      const key = sessionIn(request) ?? request;
      all.add(wire);
      carriers.set(key, wire);
      wire.once('close', () => {
        all.delete(wire);
        if (carriers.get(key) === wire) carriers.delete(key);
      });
    },

    release({ id, request }) {
      const wire = carriers.get(id) ?? carriers.get(request);
      if (wire) void cutOffLater(wire);
    },

    async closed() {
      await Promise.all([...all].map(cutOffLater));
    },
  };
};

/** The session of Engine.IO that a request goes on with; `null`: it begins one. */
export const sessionIn = ({ url = '' }: Pick<IncomingMessage, 'url'>): string | null =>
  new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('sid');
