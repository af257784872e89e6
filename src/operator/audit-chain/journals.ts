import { chainListsAt } from '../../domain/keys/audit-chain.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { isAuditRetired } from '../../domain/keys/retention.ts';
import { auditChainCodec } from '../../domain/keys/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { pagesOf } from '../../engine/log/history.ts';

/** The chained journals and keyrings within their retention time, from their lists. */
export const chainedJournals = async (
  log: Pick<EventStore, 'readStream'>,
  now: Instant,
): Promise<ReadonlySet<string>> => {
  const journals = new Set<string>();
  for (const list of chainListsAt(now))
    for await (const page of pagesOf(log, list))
      for (const stored of page) {
        const { event } = auditChainCodec.decode(stored);
        if (event.type === 'ChainBegun' && !isAuditRetired(event.journal, now))
          journals.add(event.journal);
      }
  return journals;
};
