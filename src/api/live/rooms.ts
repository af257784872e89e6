/** The rooms of this process, one per building, and their listeners. */
import type { LiveMetrics } from './metrics.ts';
import { burstOf, frameOf, type Burst, type Place } from './frames.ts';
import type { Outbound } from './outbound.ts';
import type { Send } from './sender.ts';

/** A client that has joined. */
export interface Listener {
  readonly outbound: Outbound;
  readonly send: Send;
}

export interface Rooms {
  has(buildingId: string): boolean;
  enter(buildingId: string, listener: Listener): void;
  leave(buildingId: string, listener: Listener): void;
  /** Sends to all listeners of the building; encoded once. */
  broadcast(buildingId: string, messages: readonly Place[]): void;
  /** Sends to one listener who has missed them. */
  sendTo(listener: Listener, messages: readonly Place[]): void;
  count(): number;
}

export const rooms = (metrics: Pick<LiveMetrics, 'sent'>): Rooms => {
  const members = new Map<string, Set<Listener>>();

  return {
    has: (buildingId) => members.has(buildingId),

    enter(buildingId, listener) {
      const room = members.get(buildingId) ?? new Set();
      members.set(buildingId, room.add(listener));
    },

    leave(buildingId, listener) {
      const room = members.get(buildingId);
      room?.delete(listener);
      if (room?.size === 0) members.delete(buildingId);
    },

    broadcast(buildingId, messages) {
      const room = members.get(buildingId);
      if (!room) return;
      const burst = burstOf(messages.map(frameOf));
      metrics.sent(room.size * messages.length);
      for (const listener of room) give(listener, burst);
    },

    sendTo(listener, messages) {
      metrics.sent(messages.length);
      give(listener, burstOf(messages.map(frameOf)));
    },

    count: () => members.size,
  };
};

/**
 * Sends one burst to a listener that keeps up, and single frames to a slow one, so that later
 * messages can supersede them.
 */
const give = ({ outbound, send }: Listener, burst: Burst): void => {
  if (!outbound.isBehind()) {
    outbound.send(burst.bytes.length, () => send(burst));
    return;
  }
  for (const frame of burst.frames)
    outbound.offer(frame, frame.bytes.length, () => send(burstOf([frame])));
};
