/**
 * The TCP connections under WebSockets. A client that does not close its side after its session has
 * ended is cut off: the library would keep the connection and its buffers for half a minute.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIVE_CLOSE_WAIT_MS } from './limits.ts';

export interface Wires {
  add(request: IncomingMessage, wire: Duplex): void;
  /** The connection of a session that began as a WebSocket. */
  of(session: Pick<Carried, 'request'>): Duplex | undefined;
  /** Ends the session's connection within {@link LIVE_CLOSE_WAIT_MS}. */
  release(session: Carried): void;
  /** Resolves when all are closed. */
  closed(): Promise<void>;
}

/** A connection of Engine.IO. */
export interface Carried {
  readonly id: string;
  /** Its first request: the WebSocket's, unless it began with polling. */
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
      // A session that began with polling is named in its further requests.
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

/** The Engine.IO session that a request continues; `null`: a new one. */
export const sessionIn = ({ url = '' }: Pick<IncomingMessage, 'url'>): string | null =>
  new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('sid');
