/** The findings of `atrium audit verify` in a tampered journal. */
import { beforeEach, describe, expect, it } from 'vitest';
import { chainOf } from '../../../src/domain/keys/audit-chain.ts';
import type { KnownHead } from '../../../src/operator/audit-chain/fold-check.ts';
import {
  checkJournal,
  type CheckpointedJournal,
} from '../../../src/operator/audit-chain/journal-check.ts';
import { AuditChains } from '../../../src/processes/keys/audit-chains.ts';
import { chainStart, headAfter, linkOf } from '../../../src/use-cases/keys/audit-chain.ts';
import type { EventStore, Position, StoredEvent } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { noon } from '../../support/domain/specify.ts';
import { chainAll, renumbered, tampered } from '../../support/log/audit-chain.ts';
import { keyIssued, type AuditedKey } from '../../support/log/key-audit.ts';
import { clockAt } from '../../support/log/keys.ts';

const journal = 'keyuse-acme.202603';
const clock = clockAt(noon.at);
const MADE_AT = '2026-03-02T13:00:00.000Z';
let log: EventStore;
let key: AuditedKey;
let followed: Position | null;
let ids: readonly string[];
beforeEach(async () => {
  log = memoryEventStore();
  key = await keyIssued(log, 'acme', noon.at);
  await key.usedBefore(Array.from({ length: 10 }, () => key.use(noon.at)));
  followed = await chainAll(log, clock);
  ids = (await log.readStream(journal)).map(({ id }) => id);
});

type Tamper = (events: readonly StoredEvent[]) => readonly StoredEvent[];
type Against = (CheckpointedJournal & { readonly madeAt: string }) | null;

const found = async (tamper: Tamper, against: Against = null, on = log) => {
  const parts = { log: tampered(on, journal, tamper), followed, against };
  return (await checkJournal(journal, parts)).differences;
};
const untouched: Tamper = (events) => events;
/** Removes revisions and closes the gap, as a careful forger would. */
const without =
  (...revisions: readonly number[]): Tamper =>
  (events) =>
    renumbered(events.filter(({ revision }) => !revisions.includes(revision)));
const leavingGap =
  (gone: number): Tamper =>
  (events) =>
    events.filter(({ revision }) => revision !== gone);
const cutAt =
  (revision: number): Tamper =>
  (events) =>
    events.slice(0, revision);
const changed =
  (revision: number): Tamper =>
  (events) =>
    events.map((event) =>
      event.revision === revision
        ? { ...event, data: { ...(event.data as object), route: 'GET /api/v1/sandboxez' } }
        : event,
    );
const inserted =
  (at: number, id: string): Tamper =>
  (events) => {
    const forged = { ...events[at]!, id };
    return renumbered([...events.slice(0, at), forged, ...events.slice(at)]);
  };
const GHOST = '11111111-1111-4111-8111-111111111111';

/** A checkpoint of the current journal. */
const checkpointed = async (every = 1_000): Promise<NonNullable<Against>> => {
  const links = (await log.readStream(journal)).map(linkOf);
  let head = chainStart(journal);
  const heads: KnownHead[] = [];
  for (const link of links) {
    head = headAfter(head, link);
    const { revision } = link;
    if (link === links.at(-1) || revision % every === every - 1) heads.push({ revision, head });
  }
  return { journal, records: links.length, heads, madeAt: MADE_AT };
};

it('finds no difference in an untouched journal', async () => {
  expect(await found(untouched)).toEqual([]);
  expect(await found(untouched, await checkpointed(3))).toEqual([]);
});

it('does not report a record as removed that is appended during the check', async () => {
  let hasGrown = false;
  const growing = logWith(log, {
    async readStream(stream, range) {
      const page = await log.readStream(stream, range);
      if (stream !== journal || hasGrown) return page;
      hasGrown = true;
      await key.used(noon.at);
      await chainAll(log, clock);
      return page;
    },
  });
  const parts = { log: growing, followed, against: null };
  expect(await checkJournal(journal, parts)).toMatchObject({ chained: 10, differences: [] });
  expect(hasGrown).toBe(true);
});

describe('by its chain alone', () => {
  it('names a record of which one byte was changed', async () =>
    expect(await found(changed(3))).toEqual([
      `${journal}, revision 3: the record ${ids[3]} was changed`,
    ]));

  it.each([
    ['with a gap', leavingGap(3)],
    ['and the gap closed', without(3)],
  ])('names a removed record, %s', async (_, tamper) =>
    expect(await found(tamper)).toEqual([
      `${journal}, revision 3: the record ${ids[3]} was removed`,
    ]),
  );

  it('names consecutive removed records in one line', async () =>
    expect(await found(without(3, 4, 7))).toEqual([
      `${journal}, revisions 3 to 4: the records were removed: ${ids[3]}, ${ids[4]}`,
      `${journal}, revision 7: the record ${ids[7]} was removed`,
    ]));

  it('names an inserted record, and not the shifted ones after it', async () =>
    expect(await found(inserted(3, GHOST))).toEqual([
      `${journal}, revision 3: the record ${GHOST} was inserted`,
    ]));

  it('names a record that replaces another', async () =>
    expect(
      await found((events) =>
        events.map((event) => (event.revision === 3 ? { ...event, id: GHOST } : event)),
      ),
    ).toEqual([
      `${journal}, revision 3: the record ${GHOST} was inserted`,
      `${journal}, revision 3: the record ${ids[3]} was removed`,
    ]));

  it('names swapped records', async () =>
    expect(
      await found((events) =>
        renumbered([...events.slice(0, 3), events[4]!, events[3]!, ...events.slice(5)]),
      ),
    ).toEqual([
      `${journal}, revision 3: the record ${ids[4]} was moved here from revision 4`,
      `${journal}, revision 4: the record ${ids[3]} was moved here from revision 3`,
    ]));

  it('reports where a journal was cut, and its missing records', async () =>
    expect(await found(cutAt(7))).toEqual([
      `${journal} was cut: its records from revision 7 to 9 are gone: ${ids.slice(7).join(', ')}`,
    ]));

  it('reports a missing journal', async () =>
    expect(await found(() => [])).toEqual([`${journal} is missing: 10 records`]));

  it('reports changed links of the chain', async () => {
    const forged = tampered(log, chainOf(journal), (events) =>
      events.map((event) => ({ ...event, data: { ...(event.data as object), from: 1 } })),
    );
    expect(await found(untouched, null, forged)).toContain(
      `the chain of ${journal} was changed at its revision 0`,
    );
  });

  it('reports records that are missing from the chain', async () => {
    await log.append(journal, 'any', [key.use(noon.at), key.use(noon.at)]);
    const { position } = await log.head();
    const parts = { log, against: null };
    expect(await checkJournal(journal, { ...parts, followed })).toEqual({
      chained: 10,
      waiting: 2,
      differences: [],
    });
    const { differences } = await checkJournal(journal, { ...parts, followed: position });
    expect(differences).toEqual([
      expect.stringMatching(/: 2 records from revision 10 on are in no chain/),
    ]);
  });

  it('names a hundred of many differences, and counts the rest', async () => {
    await key.usedBefore(Array.from({ length: 190 }, () => key.use(noon.at)));
    await chainAll(log, clock);
    const lines = await found((events) => events.map((event) => ({ ...event, meta: {} })));
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe(`${journal}: and 100 more from revision 100 on`);
  });
});

describe('against a checkpoint', () => {
  it.each([
    ['changed', changed(3), () => `revision 3: the record ${ids[3]} was changed`],
    ['removed', without(3), () => `revision 3: the record ${ids[3]} was removed`],
    ['inserted', inserted(3, GHOST), () => `revision 3: the record ${GHOST} was inserted`],
  ])('names a record %s since the checkpoint', async (_, tamper, line) => {
    const against = await checkpointed();
    await log.append(journal, 'any', [key.use(noon.at)]);
    await chainAll(log, clock);
    expect(await found(tamper, against)).toEqual([`${journal}, ${line()}`]);
  });

  /** A forgery by a writer with all rights: the chain is computed from the forged records. */
  const forgedThroughout = async (tamper: Tamper): Promise<EventStore> => {
    const forged = memoryEventStore();
    const chains = new AuditChains({ log: forged, clock });
    const records = tamper(await log.readStream(journal));
    chains.add(records);
    await chains.flush();
    return tampered(forged, journal, () => records);
  };

  it.each([
    [changed(3), 'was rewritten between revisions 3 and 5'],
    [without(3), 'was rewritten between revisions 3 and 5'],
    [inserted(7, GHOST), 'was rewritten between revisions 6 and 8'],
    [cutAt(7), 'was cut'],
  ])('finds records forged together with their chain, %#', async (tamper, said) => {
    const against = await checkpointed(3);
    const forged = await forgedThroughout(tamper);
    followed = (await forged.head()).position;
    const alone = await checkJournal(journal, { log: forged, followed, against: null });
    expect(alone.differences).toEqual([]);
    const { differences } = await checkJournal(journal, { log: forged, followed, against });
    expect(differences).toEqual([expect.stringContaining(`${journal} ${said}`)]);
    expect(differences[0]).toContain(MADE_AT);
  });

  it('with a hash after each record names the first forged one', async () => {
    const against = await checkpointed(1);
    const forged = await forgedThroughout(changed(4));
    const { differences } = await checkJournal(journal, { log: forged, followed, against });
    expect(differences).toEqual([expect.stringContaining('between revisions 4 and 4')]);
  });

  it('reports a missing journal whose chain is missing too', async () => {
    const against = await checkpointed();
    const parts = { log: memoryEventStore(), followed: null, against };
    expect((await checkJournal(journal, parts)).differences).toEqual([
      `${journal} is missing: 10 records`,
    ]);
  });

  it('reports the chain and no record where the records are unchanged', async () => {
    const against = await checkpointed();
    const forged = await forgedThroughout(changed(3));
    const genuine = await log.readStream(journal);
    const { differences } = await checkJournal(journal, {
      log: tampered(forged, journal, () => genuine),
      followed,
      against,
    });
    expect(differences).toEqual([
      `the chain of ${journal} is not that of the checkpoint of ${MADE_AT}; its records up to ` +
        'revision 9 are',
    ]);
  });
});
