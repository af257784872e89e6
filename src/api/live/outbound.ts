/**
 * What is on its way to one client, bounded: whoever reads slowly is kept the latest of each point
 * and everything else, in order; and is given up when that is too much.
 */
import {
  LIVE_ACKNOWLEDGEMENT_BYTES,
  LIVE_KEPT_BYTES_MAX,
  LIVE_SENT_BYTES_MAX,
} from '../../limits.ts';
import type { Frame } from './frames.ts';

export interface Outbound {
  /** Whether what comes now is to be kept: the client is behind. */
  isBehind(): boolean;
  /** So much is about to be sent. */
  sending(bytes: number): void;
  /** Sends it after all that is kept, now if nothing is. */
  offer(message: Pick<Frame, 'supersededBy'>, bytes: number, send: () => void): void;
  /** As `offer`, of an acknowledgement: nothing supersedes it, and it is short. */
  afterwards(send: () => void): void;
  /** Everything sent so far was handed to the connection: what is kept may follow. */
  drained(): void;
  /** Keeps nothing any more, and sends nothing. */
  close(): void;
}

export interface OutboundParts {
  /** More would have to be kept than is. Called once. */
  readonly overflowed: () => void;
  /** A message was left out because a later one of the same point is kept. */
  readonly conflated: () => void;
}

interface Kept {
  readonly bytes: number;
  readonly send: () => void;
}

export const outbound = ({ overflowed, conflated }: OutboundParts): Outbound => {
  const kept = new Map<string | symbol, Kept>();
  let keptBytes = 0;
  let sentBytes = 0;
  let closed = false;

  const isBehind = () => kept.size > 0 || sentBytes > LIVE_SENT_BYTES_MAX;

  const close = () => {
    closed = true;
    kept.clear();
  };

  const keep = (key: string | symbol, bytes: number, send: () => void) => {
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
    sentBytes += bytes;
    send();
  };

  return {
    isBehind,
    sending(bytes) {
      sentBytes += bytes;
    },
    offer,
    afterwards: (send) => offer({ supersededBy: null }, LIVE_ACKNOWLEDGEMENT_BYTES, send),
    drained() {
      sentBytes = 0;
      for (const [key, { bytes, send }] of kept) {
        if (sentBytes > LIVE_SENT_BYTES_MAX) return;
        kept.delete(key);
        keptBytes -= bytes;
        sentBytes += bytes;
        send();
      }
    },
    close,
  };
};
