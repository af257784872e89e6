/** The history of a key where the log keeps the uses of all together. docs/decisions/0055. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { SHARED_JOURNALS, sharedJournalOf } from '../../../src/domain/keys/shared-journals.ts';
import { useFamily } from '../../../src/domain/keys/journals.ts';
import { useIndexOf } from '../../../src/domain/keys/use-index.ts';
import { keyringOf } from '../../../src/identity/keys/token.ts';
import { USE_INDEX_SECTION_RECORDS } from '../../../src/limits.ts';
import {
  keyHistory,
  type HistoryPage,
  type HistoryCursor,
} from '../../../src/projections/keys/key-history.ts';
import {
  keyringCodec,
  sharedJournalCodec,
  useIndexCodec,
} from '../../../src/domain/keys/codecs.ts';
import type { EventStore, NewEvent } from '../../../src/engine/log/event-store.ts';
import { historyOf } from '../../../src/engine/log/history.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { noon } from '../../support/domain/specify.ts';
import { chainAll } from '../../support/log/audit-chain.ts';
import { keyIssued, type AuditedKey } from '../../support/log/key-audit.ts';
import { clockAt } from '../../support/log/keys.ts';

const NOW = '2026-03-15T12:00:00.000Z';
const clock = clockAt(NOW);
const MARCH = useFamily(NOW);
const [ONE, OTHER] = ['000000000001', '000000000002'].map((writer) =>
  sharedJournalOf(MARCH, writer),
) as [string, string];

let log: EventStore;
let mine: AuditedKey;
let theirs: AuditedKey;
beforeEach(async () => {
  log = memoryEventStore();
  mine = await keyIssued(log, 'acme', '2026-03-01T00:00:00.000Z');
  theirs = await keyIssued(log, 'globex', '2026-03-01T00:00:00.000Z');
  for (const journal of [ONE, OTHER]) await opened(journal);
});

const opened = async (journal: string): Promise<void> => {
  const event = { type: 'JournalOpened', journal } as const;
  const occasion = { ...noon, commandId: randomUUID() };
  const encoded = sharedJournalCodec.encode(randomUUID(), event, occasion);
  await log.append(SHARED_JOURNALS, 'any', [encoded]);
};

const stored = async (journal: string, key: AuditedKey, count = 1): Promise<readonly string[]> => {
  const events: NewEvent[] = Array.from({ length: count }, () => key.use(NOW));
  await log.append(journal, 'any', events);
  return events.map(({ id }) => id);
};
const others = async (journal: string, count: number) => {
  for (let left = count; left > 0; left -= 1_000)
    await stored(journal, theirs, Math.min(left, 1_000));
};
const counting = () => {
  const read = { events: 0 };
  const from = logWith(log, {
    async readStream(...call) {
      const events = await log.readStream(...call);
      if (call[0].startsWith('keyuse-@')) read.events += events.length;
      return events;
    },
  });
  return { read, from };
};
const pageFrom = async (from: EventStore, place: HistoryCursor | null, limit: number) => {
  const all = await historyOf(log, keyringCodec, `keyring-${keyringOf('acme')}`);
  const facts = all.filter(({ event }) => 'keyId' in event && event.keyId === mine.keyId);
  const query = { organisation: 'acme', keyId: mine.keyId, facts, now: NOW, place, limit };
  return keyHistory(from, query);
};
const historyFor = async (limit: number, from = log): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let place: HistoryCursor | null = null; ;) {
    const page: HistoryPage = await pageFrom(from, place, limit);
    ids.push(...page.rows.filter(({ action }) => action === 'key.used').map(({ id }) => id));
    if (page.next === null) return ids;
    place = page.next;
  }
};

it('returns the uses of all journals in log order, page by page, without duplicates', async () => {
  const ids: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    ids.push(...(await stored(ONE, mine)), ...(await stored(OTHER, mine)));
    await mine.used(NOW).then(({ id }) => ids.push(id));
    await others(round % 2 ? ONE : OTHER, 3);
    ids.push(...(await stored(OTHER, mine, 2)));
  }
  for (const limit of [1, 2, 3, 7, 100]) expect(await historyFor(limit)).toEqual(ids);
  await chainAll(log, clock);
  expect(await historyFor(2)).toEqual(ids);
});

it('reads indexed journals selectively, and the rest sequentially', async () => {
  const first = await stored(ONE, mine);
  await others(ONE, 2 * USE_INDEX_SECTION_RECORDS);
  const last = await stored(ONE, mine, 2);
  await chainAll(log, clock);
  await others(ONE, 10);
  const { read, from } = counting();
  expect(await historyFor(100, from)).toEqual([...first, ...last]);
  expect(read.events).toBeLessThan(100);
});

it('is indexed by organisation, section by section, and the same when done twice', async () => {
  await stored(ONE, mine, 3);
  await others(ONE, USE_INDEX_SECTION_RECORDS);
  await stored(ONE, mine, 3);
  const indexed = async () =>
    (await historyOf(log, useIndexCodec, useIndexOf('acme', '202603'))).map(({ event }) => event);
  await chainAll(log, clock);
  const once = await indexed();
  expect(once).toEqual([{ type: 'UsesIndexed', journal: ONE, section: 0, runs: [[0, 2]] }]);
  // A follower that is killed before its chain is stored does it again.
  await log.deleteStream(`auditchain-${ONE}`);
  await chainAll(log, clock);
  expect(await indexed()).toEqual(once);
});

it('continues from a position past many uses of other organisations', async () => {
  const [id] = await stored(ONE, mine);
  await others(OTHER, 25_000);
  const [next] = await stored(OTHER, mine);
  expect(await historyFor(1)).toEqual([id, next]);
});

it('continues when one page of each journal exceeds the search limit of a call', async () => {
  const many = Array.from({ length: 12 }, (_, nth) => sharedJournalOf(MARCH, `many${nth}`));
  for (const journal of many) {
    await opened(journal);
    await others(journal, 1_100);
  }
  const [id] = await stored(many[11]!, mine);
  for (let place: HistoryCursor | null = null, calls = 1; ; calls += 1) {
    expect(calls).toBeLessThan(20);
    const { rows, next } = await pageFrom(log, place, 10);
    if (rows.some((row) => row.id === id)) break;
    expect(next).not.toBeNull();
    place = next;
  }
});

it('does not read an exhausted journal again', async () => {
  await others(ONE, 3_000);
  const first = await stored(ONE, mine);
  const second = await stored(OTHER, mine, 2);
  const { rows, next } = await pageFrom(log, null, 3);
  expect(rows.slice(1).map(({ id }) => id)).toEqual([...first, second[0]]);
  const { read, from } = counting();
  const rest = await pageFrom(from, next, 3);
  expect(rest.rows.map(({ id }) => id)).toEqual([second[1]]);
  expect(read.events).toBeLessThan(100);
});

it('skips no record that is added to one journal while it reads another', async () => {
  const [first] = await stored(ONE, mine);
  const during: string[] = [];
  const meanwhile = logWith(log, {
    async readStream(...call) {
      const events = await log.readStream(...call);
      // This journal has been read, the other one has not.
      if (call[0] === ONE && during.length === 0)
        during.push(...(await stored(ONE, mine)), ...(await stored(OTHER, mine, 2)));
      return events;
    },
  });
  const ids: string[] = [];
  for (let place: HistoryCursor | null = null; ;) {
    const { rows, next }: HistoryPage = await pageFrom(meanwhile, place, 3);
    ids.push(...rows.map(({ id }) => id));
    if (next === null) break;
    place = next;
  }
  expect([first, ...during].slice(0, ids.length - 1)).toEqual(ids.slice(1));
});
