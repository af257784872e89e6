/**
 * What is on its way to one client, bounded: whoever reads slowly is kept the latest of each point
 * and everything else, in order; and is given up when that is too much.
 */
import { LIVE_ACKNOWLEDGEMENT_BYTES, LIVE_KEPT_BYTES_MAX, LIVE_SENT_BYTES_MAX } from './limits.ts';
import type { Frame } from './frames.ts';

export interface Outbound {
  /** Whether what comes now is to be kept: the client is behind. */
  isBehind(): boolean;
  /** Sends so much now: the client is not behind. */
  send(bytes: number, send: Sent): void;
  /** Sends it after all that is kept, now if nothing is. */
  offer(message: Pick<Frame, 'supersededBy'>, bytes: number, send: Sent): void;
  /** As `offer`, of an acknowledgement: nothing supersedes it, and it is short. */
  afterwards(send: () => void): void;
  /** The library, or the connection, has nothing more to send: what is kept may follow. */
  drained(): void;
  /** Keeps nothing any more, and sends nothing. */
  close(): void;
}

/** Whether it waits in the connection itself now, and not in the library. */
type Sent = () => boolean;

export interface OutboundParts {
  /** Bytes that the connection has not been able to send. */
  readonly waiting: () => number;
  /** More would have to be kept than is. Called once. */
  readonly overflowed: () => void;
  /** A message was left out because a later one of the same point is kept. */
  readonly conflated: () => void;
}

interface Kept {
  readonly bytes: number;
  readonly send: Sent;
}

export const outbound = ({ waiting, overflowed, conflated }: OutboundParts): Outbound => {
  const kept = new Map<string | symbol, Kept>();
  let keptBytes = 0;
  let sentBytes = 0;
  let closed = false;

  const isFull = () => sentBytes + waiting() > LIVE_SENT_BYTES_MAX;
  const isBehind = () => kept.size > 0 || isFull();

  const sendNow = (bytes: number, send: Sent) => {
    // Before it is sent: the library may have drained by the time it returns.
    sentBytes += bytes;
    if (send()) sentBytes -= bytes;
  };

  const close = () => {
    closed = true;
    kept.clear();
  };

  const keep = (key: string | symbol, bytes: number, send: Sent) => {
    const older = kept.get(key);
    if (older) {
      conflated();
      keptBytes -= older.bytes;
      // The newer one takes its own place in the order.
      kept.delete(key);
    }
    kept.set(key, { bytes, send });
    keptBytes += bytes;
    if (keptBytes <= LIVE_KEPT_BYTES_MAX) return;
    close();
    overflowed();
  };

  const offer: Outbound['offer'] = ({ supersededBy }, bytes, send) => {
    if (closed) return;
    if (isBehind()) {
      keep(supersededBy ?? Symbol('message'), bytes, send);
      return;
    }
    sendNow(bytes, send);
  };

  return {
    isBehind,
    send: sendNow,
    offer,
    afterwards(send) {
      offer({ supersededBy: null }, LIVE_ACKNOWLEDGEMENT_BYTES, () => {
        send();
        return false;
      });
    },
    drained() {
      sentBytes = 0;
      for (const [key, { bytes, send }] of kept) {
        if (isFull()) return;
        kept.delete(key);
        keptBytes -= bytes;
        sendNow(bytes, send);
      }
    },
    close,
  };
};
