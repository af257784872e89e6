import { beforeEach, describe, expect, it } from 'vitest';
import { sharedJournalOf } from '../../../src/domain/keys/shared-journals.ts';
import { useFamily } from '../../../src/domain/keys/journals.ts';
import { useIndexOf } from '../../../src/domain/keys/use-index.ts';
import { USE_INDEX_SECTION_RECORDS } from '../../../src/limits.ts';
import { verifyChains } from '../../../src/operator/audit-chain/verify-chains.ts';
import { AuditChains } from '../../../src/processes/keys/audit-chains.ts';
import type { EventStore, StoredEvent } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { keyIssued } from '../../support/log/key-audit.ts';
import { clockAt } from '../../support/log/keys.ts';
import { allEvents } from '../../support/log/all-events.ts';

const NOW = '2026-03-15T12:00:00.000Z';
const MARCH = useFamily(NOW);
const JOURNAL = sharedJournalOf(MARCH, '000000000001');
const INDEX = useIndexOf('acme', MARCH.period);
const LAST = USE_INDEX_SECTION_RECORDS - 1;
const { signal } = new AbortController();

let log: EventStore;
beforeEach(async () => {
  log = memoryEventStore();
  const clock = clockAt(NOW);
  const [acme, globex] = [await keyIssued(log, 'acme', NOW), await keyIssued(log, 'globex', NOW)];
  for (let left = USE_INDEX_SECTION_RECORDS + 10; left > 0; left -= 1_000) {
    const count = Math.min(left, 1_000);
    const uses = Array.from({ length: count }, (_, n) => (n < 5 ? acme : globex).use(NOW));
    await log.append(JOURNAL, 'any', uses);
  }
  const chains = new AuditChains({ log, clock });
  chains.add(await allEvents(log, { categories: ['keyuse'] }));
  await chains.flush();
});

const differences = async (on: EventStore = log) => {
  const parts = { log: on, now: NOW, followed: null, against: null, signal };
  return (await verifyChains({ ...parts, journals: new Set([JOURNAL]) })).differences;
};
/** The log with a changed index of acme. */
const withIndex = (change: (events: readonly StoredEvent[]) => readonly StoredEvent[]) =>
  logWith(log, {
    readStream: async (stream, range) => {
      const events = await log.readStream(stream, range);
      return stream === INDEX ? change(events) : events;
    },
  });

describe('the index of a shared journal', () => {
  it('matches its records', async () => {
    expect(await log.readStream(INDEX)).toHaveLength(1);
    expect(await differences()).toEqual([]);
  });

  it('is reported where an entry was removed', async () => {
    expect(await differences(withIndex(() => []))).toEqual([
      `${INDEX}: the entry for revisions 0 to ${LAST} of ${JOURNAL} was removed`,
    ]);
  });

  it.each([
    ['names fewer uses', { runs: [[0, 3]] }],
    ['names more uses', { runs: [[0, LAST]] }],
  ])('is reported where an entry %s', async (_, changed) => {
    const change = (events: readonly StoredEvent[]) =>
      events.map((event) => ({ ...event, data: { ...(event.data as object), ...changed } }));
    expect(await differences(withIndex(change))).toEqual([
      `${INDEX}: the entry for revisions 0 to ${LAST} of ${JOURNAL} was changed`,
    ]);
  });

  it('is reported where an entry cannot be read', async () => {
    const change = (events: readonly StoredEvent[]) =>
      events.map((event) => ({ ...event, data: {} }));
    expect(await differences(withIndex(change))).toEqual([`${INDEX}: an entry cannot be read`]);
  });
});
