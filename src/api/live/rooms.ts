/** The rooms of this process, one a building, and who is in them. */
import type { LiveMetrics } from '../../ops/live-metrics.ts';
import { cursorText, type Cursor } from './cursor.ts';
import type { LiveMessage } from './messages.ts';
import type { Outbound } from './outbound.ts';

/** A client that has joined. */
export interface Listener {
  readonly id: string;
  readonly outbound: Outbound;
  /** To it alone. */
  readonly send: (message: LiveMessage, position: string) => void;
}

/** One frame for all of a room but those named. */
export type Broadcast = (
  buildingId: string,
  except: readonly string[],
  message: LiveMessage,
  position: string,
) => void;

export interface Rooms {
  has(buildingId: string): boolean;
  holds(buildingId: string, listener: Listener): boolean;
  enter(buildingId: string, listener: Listener): void;
  leave(buildingId: string, listener: Listener): void;
  /** To everybody in the building's room; the frame is made once for all who keep up. */
  tell(message: LiveMessage, cursor: Cursor): void;
  /** To one of them, who has missed it. */
  tellOne(listener: Listener, message: LiveMessage, cursor: Cursor): void;
  count(): number;
}

export const rooms = (broadcast: Broadcast, metrics: Pick<LiveMetrics, 'sent'>): Rooms => {
  const members = new Map<string, Set<Listener>>();

  return {
    has: (buildingId) => members.has(buildingId),
    holds: (buildingId, listener) => members.get(buildingId)?.has(listener) ?? false,

    enter(buildingId, listener) {
      const room = members.get(buildingId) ?? new Set();
      members.set(buildingId, room.add(listener));
    },

    leave(buildingId, listener) {
      const room = members.get(buildingId);
      room?.delete(listener);
      if (room?.size === 0) members.delete(buildingId);
    },

    tell(message, cursor) {
      const room = members.get(message.buildingId);
      if (!room) return;
      const position = cursorText(cursor);
      const bytes = bytesOf(message);
      const behind = [...room].filter(({ outbound }) => outbound.isBehind());
      for (const { outbound } of room) if (!outbound.isBehind()) outbound.sending(bytes);
      metrics.sent(room.size);
      if (behind.length < room.size)
        broadcast(
          message.buildingId,
          behind.map(({ id }) => id),
          message,
          position,
        );
      for (const { outbound, send } of behind)
        outbound.offer(message, bytes, () => send(message, position));
    },

    tellOne({ outbound, send }, message, cursor) {
      metrics.sent(1);
      const position = cursorText(cursor);
      outbound.offer(message, bytesOf(message), () => send(message, position));
    },

    count: () => members.size,
  };
};

/** In characters, near enough: it bounds memory and is no protocol. */
const bytesOf = ({ body }: LiveMessage): number => JSON.stringify(body).length;
