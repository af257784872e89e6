import { timersId } from '../engine/consumers/consumer.ts';
import { clockCheck } from '../engine/consumers/clock-check.ts';
import { retentionAfter, retentionDecider } from '../engine/retention/retention.ts';
import {
  journalExpiry,
  journalRetention,
  journalTimers,
  retentionCodec,
} from '../engine/retention/journal-retention.ts';
import type { Terms } from '../engine/retention/terms.ts';
import { aggregate } from '../engine/aggregates/aggregate.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import type { Capability } from './capability.ts';

export const retentionStreams = {
  category: 'retention',
  codec: retentionCodec,
  kept: 'forever',
} as const;

/** Deletes the journals of all capabilities when their term is over. design.md decision 15. */
export const retention = (terms: Terms): Capability => {
  const timers = journalTimers(terms);
  return {
    projections: [timers.projection],
    processes: ['journal-retention'],
    timers: [timers],

    compose({ log, keyUses, db, clock, logger }) {
      const retentions = aggregate({
        log,
        category: retentionStreams.category,
        codec: retentionCodec,
        decider: retentionDecider(terms),
        viewAfter: retentionAfter,
      });
      const deleteStream: EventStore['deleteStream'] = async (journal, options) => {
        await keyUses.retire(journal);
        await log.deleteStream(journal, options);
      };
      const consumer = timersId(timers.name);
      const isTrusted = clockCheck({ pool: db.pool, clock, logger, consumer });
      return {
        processes: [journalRetention({ deleteStream })],
        timers: [journalExpiry(timers, retentions, isTrusted)],
      };
    },
  };
};
