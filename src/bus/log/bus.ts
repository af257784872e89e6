import type { Pool } from 'pg';
import type { Ownership } from '../../consumers/leases.ts';
import { processRuntime, together, type Processes } from '../../processes/processes.ts';
import { registerProcess } from '../../processes/registration.ts';
import { busCodec } from '../../store/codecs.ts';
import type { Bus } from '../bus.ts';
import { consumerProcess, type LogConsumerParts } from './consumer.ts';
import { journalOf, messageIdOf, storedIdOf } from '../messages.ts';

export interface LogBusParts extends LogConsumerParts {
  readonly db: { readonly pool: Pool };
  readonly ownership: Ownership;
  /**
   * Processes that must miss nothing of what is published here, even if none of them has ever run:
   * the consumers, and those that react to what consumers record.
   */
  readonly expected: readonly string[];
}

/** How far the consumers have come can be waited for, as with any process. */
export type LogBus = Bus & Pick<Processes, 'waitFor' | 'status'>;

/**
 * The log as bus: what is published stands in `bus-<buildingId>.<yyyymmdd>` until the journal's
 * term is over.
 */
export const logBus = (parts: LogBusParts): LogBus => {
  const { log, clock, expected } = parts;
  const running = new Set<Processes>();
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

    async consume(consumer, handler) {
      const runtime = processRuntime({
        ...parts,
        processes: [consumerProcess(consumer, handler, parts)],
        give: async () => {
          throw new Error('a consumer gives no commands');
        },
      });
      running.add(runtime);
      try {
        await runtime.start(consumer.signal);
      } finally {
        running.delete(runtime);
      }
    },

    waitFor: (position, timeoutMs) => together(...running).waitFor(position, timeoutMs),

    status: () => together(...running).status(),
  };
};
