import { retentionAfter, retentionDecider } from '../engine/retention/retention.ts';
import {
  journalExpiries,
  journalExpiry,
  journalRetention,
  journalTimers,
  retentionCodec,
} from '../engine/retention/journal-retention.ts';
import { aggregate } from '../engine/aggregates/aggregate.ts';
import type { Capability } from './capability.ts';

/** Journals are forgotten when their term is over. design.md decision 15. */
export const retention: Capability = {
  codecs: [retentionCodec],
  projections: [journalExpiries],
  processes: ['journal-retention'],
  timers: [journalTimers],

  compose({ log, keyUses }) {
    const retentions = aggregate({
      log,
      category: 'retention',
      codec: retentionCodec,
      decider: retentionDecider,
      viewAfter: retentionAfter,
    });
    const deleteStream = async (journal: string) => {
      await keyUses.retire(journal);
      await log.deleteStream(journal);
    };
    return { processes: [journalRetention({ deleteStream })], timers: [journalExpiry(retentions)] };
  },
};
