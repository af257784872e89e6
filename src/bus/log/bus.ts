import type { Clock } from '../../engine/time/clock.ts';
import { registerProcess } from '../../engine/processes/process-position.ts';
import { busCodec } from '../../domain/bus/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import type { Bus } from '../bus.ts';
import { journalOf, messageIdOf, storedIdOf } from './messages.ts';

export interface LogBusParts {
  readonly log: EventStore;
  readonly clock: Clock;
  /**
   * Processes that must receive every message published here, even if none of them has run yet: the
   * consumers, and those that react to facts of consumers.
   */
  readonly expected: readonly string[];
}

/**
 * The log as bus: messages are stored in `bus-<buildingId>.<yyyymmdd>` until the journal's
 * retention ends. Its consumers are processes: see `logConsumer`.
 */
export const logBus = ({ log, clock, expected }: LogBusParts): Bus => {
  let registered: Promise<unknown> | null = null;

  const allRegistered = () => {
    registered ??= Promise.all(expected.map((name) => registerProcess(name, log, clock))).catch(
      (error: unknown) => {
        registered = null;
        throw error;
      },
    );
    return registered;
  };

  return {
    async publish(subject, data, { eventId, at, by = { kind: 'system', id: 'bus' } }) {
      await allRegistered();
      const { buildingId, type: subjectType } = subject;
      const id = messageIdOf(buildingId, eventId);
      const journal = journalOf(subject, at, clock.now());
      const message = busCodec.encode(
        storedIdOf(journal, id),
        { type: 'MessagePublished', buildingId, subjectType, eventId, data },
        { commandId: id, at, by, origin: 'system' },
      );
      const { position } = await log.append(journal, 'any', [message]);
      return { position };
    },
  };
};
