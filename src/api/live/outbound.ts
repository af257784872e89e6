/**
 * A bounded send buffer for one client: a slow reader gets the latest message of each point and all
 * other messages, in order, and is disconnected when that is too much.
 */
import { LIVE_ACKNOWLEDGEMENT_BYTES, LIVE_KEPT_BYTES_MAX, LIVE_SENT_BYTES_MAX } from './limits.ts';
import type { Frame } from './frames.ts';

export interface Outbound {
  /** Whether new messages are buffered, because the client is behind. */
  isBehind(): boolean;
  /** Sends bytes at once; the client is not behind. */
  send(bytes: number, send: Sent): void;
  /** Sends it after all buffered messages, at once if there are none. */
  offer(message: Pick<Frame, 'supersededBy' | 'at'>, bytes: number, send: Sent): void;
  /** As `offer`, for an acknowledgement: it is short and never superseded. */
  afterwards(send: () => void): void;
  /** The library, or the connection, has sent everything: buffered messages may follow. */
  drained(): void;
  /** Clears the buffer and stops sending. */
  close(): void;
}

/** Whether the bytes are in the connection's buffer now, not in the library's. */
type Sent = () => boolean;

export interface OutboundParts {
  /** Unsent bytes of the connection. */
  readonly waiting: () => number;
  /** The buffer is full. Called once. */
  readonly overflowed: () => void;
  /** A message was dropped for one of the same point that was observed later. */
  readonly conflated: () => void;
}

interface Kept {
  readonly at: string;
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
    // Counted before sending: the library may have drained by the time it returns.
    sentBytes += bytes;
    if (send()) sentBytes -= bytes;
  };

  const close = () => {
    closed = true;
    kept.clear();
  };

  const keep = (key: string | symbol, message: Kept) => {
    const other = kept.get(key);
    if (other) {
      conflated();
      // A gateway that was offline sends old values late.
      if (other.at > message.at) return;
      keptBytes -= other.bytes;
      // The newer one goes to the end of the order.
      kept.delete(key);
    }
    kept.set(key, message);
    keptBytes += message.bytes;
    if (keptBytes <= LIVE_KEPT_BYTES_MAX) return;
    close();
    overflowed();
  };

  const offer: Outbound['offer'] = ({ supersededBy, at }, bytes, send) => {
    if (closed) return;
    if (isBehind()) {
      keep(supersededBy ?? Symbol('message'), { at, bytes, send });
      return;
    }
    sendNow(bytes, send);
  };

  return {
    isBehind,
    send: sendNow,
    offer,
    afterwards(send) {
      offer({ supersededBy: null, at: '' }, LIVE_ACKNOWLEDGEMENT_BYTES, () => {
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
