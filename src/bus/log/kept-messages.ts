import type { Clock } from '../../engine/time/clock.ts';
import type { Position } from '../../engine/log/event-store.ts';
import { BusUnavailable, type Bus } from '../bus.ts';
import { keptIdsOf, messageIdOf } from './messages.ts';

/** The position of a stored message by the ids that it may have; `null`: none is listed. */
export type KeptMessage = (ids: readonly string[]) => Promise<Position | null>;

/**
 * The log as bus for publishers whose repeats may come days later: a journal recognises only what
 * was stored on its own day.
 */
export const recognisingKept = (journals: Bus, keptMessage: KeptMessage, clock: Clock): Bus => ({
  async publish(subject, data, options) {
    const { buildingId } = subject;
    const ids = keptIdsOf(buildingId, messageIdOf(buildingId, options.eventId), clock.now());
    const position = await keptMessage(ids).catch((error: unknown) => {
      throw new BusUnavailable('the kept messages cannot be looked at', error);
    });
    return position === null ? journals.publish(subject, data, options) : { position };
  },
});
