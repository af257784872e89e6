/** How `atrium audit verify` judges the uses in the log. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { SharedJournalEvent } from '../../../src/domain/keys/shared-journals.ts';
import { useJournal } from '../../../src/domain/keys/journals.ts';
import { readUses } from '../../../src/operator/keys/uses-in-log.ts';
import { keyringOf } from '../../../src/identity/keys/token.ts';
import { keyUseCodec, sharedJournalCodec } from '../../../src/domain/keys/codecs.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { noon } from '../../support/domain/specify.ts';
import { clockAt, keysOf } from '../../support/log/keys.ts';

const clock = clockAt(noon.at);
let log: EventStore;
beforeEach(() => {
  log = memoryEventStore();
});

const used = (keyId: string, keyringRevision: number | null, at = noon.at) => {
  const id = randomUUID();
  return keyUseCodec.encode(
    id,
    {
      type: 'KeyUsed',
      outcome: 'allowed',
      reason: null,
      keyId,
      label: 'ci',
      scope: 'sandbox',
      expiresAt: null,
      route: 'GET /x',
      sourceIp: '::1',
      userAgent: null,
      keyringRevision,
    },
    { ...noon, at, commandId: id, organisation: 'acme' },
  );
};
const journal = useJournal('acme', noon.at);
const LONG_AGO = '2020-01-01T00:00:00.000Z';
const { signal } = new AbortController();
const read = async (from = log) =>
  readUses(from, { until: (await from.head()).position, since: LONG_AGO, signal });

/** A key used at keyring revision 1, revoked at 2, and used again in the log after that. */
const revokedThen = async (keyringRevision: number | null) => {
  const keys = keysOf(log, clock, 'acme');
  const { keyId } = await keys.mint();
  await log.append(journal, 'any', [used(keyId, 1)]);
  await keys.revoke(keyId);
  await log.append(journal, 'any', [used(keyId, keyringRevision)]);
  return keyId;
};

it('counts uses before a revocation neither as breaches nor as late', async () => {
  const keys = keysOf(log, clock, 'acme');
  const { keyId } = await keys.mint();
  await log.append(journal, 'any', [used(keyId, 1)]);
  await keys.revoke(keyId);
  expect(await read()).toMatchObject({ breaches: [], late: [], records: 3 });
});

it('counts an allowed use after the revocation as a breach where guards are atomic', async () => {
  const keyId = await revokedThen(1);
  expect(await read()).toMatchObject({
    breaches: [
      `key ${keyId} of acme: the use at position 5 is after the key's revocation at ` +
        'position 4, and was allowed',
    ],
    late: [],
  });
});

it.each([
  [1, 0, 1],
  [2, 1, 0],
  [null, 1, 0],
])(
  'where they are not, finds at revision %s of the keyring %i breaches and %i late uses',
  async (keyringRevision, breaches, late) => {
    const keyId = await revokedThen(keyringRevision);
    const found = await read(
      logWith(log, { capabilities: { ...log.capabilities, guardsInOneStep: false } }),
    );
    expect([found.breaches.length, found.late.length]).toEqual([breaches, late]);
    const decided = `key ${keyId} of acme: the use at position 5 is after the key's revocation`;
    for (const line of [...found.breaches, ...found.late]) expect(line).toContain(decided);
    for (const line of found.late) expect(line).toContain('decided at revision 1 of the keyring');
  },
);

it.each([
  ['at all', null, 0, 1],
  ['after its announcement', 'GuardChanged', 1, 0],
  ['where the journal was opened after it', 'JournalOpened', 1, 0],
  ['where the journal was closed', 'JournalClosed', 1, 0],
] as const)(
  'finds of a use after the revocation in a shared journal, %s (%s), %i breaches and %i late uses',
  async (_, type, breaches, late) => {
    const keys = keysOf(log, clock, 'acme');
    const { keyId } = await keys.mint();
    const shared = 'keyuse-@000000000001.202603';
    const appended = async (event: SharedJournalEvent) => {
      const id = randomUUID();
      const encoded = sharedJournalCodec.encode(id, event, { ...noon, commandId: id });
      await log.append(shared, 'any', [encoded]);
    };
    if (type !== 'JournalOpened') await appended({ type: 'JournalOpened', journal: shared });
    await keys.revoke(keyId);
    const stream = `keyring-${keyringOf('acme')}`;
    if (type === 'GuardChanged') await appended({ type, stream, revision: 2 });
    else if (type) await appended({ type, journal: shared });
    await log.append(shared, 'any', [used(keyId, 1)]);
    const notInOneStep = { ...log.capabilities, guardsInOneStep: false };
    const found = await read(logWith(log, { capabilities: notInOneStep }));
    expect([found.breaches.length, found.late.length]).toEqual([breaches, late]);
  },
);

it('counts the use of a key that was never issued as a breach', async () => {
  await log.append(journal, 'any', [used('nobody', 1)]);
  expect((await read()).breaches).toEqual([
    'key nobody of acme: the use at position 1 was allowed, but no such key had been issued',
  ]);
});

it('counts only records since the given time and up to the given position', async () => {
  const { keyId } = await keysOf(log, clock, 'acme').mint();
  await log.append(journal, 'any', [used(keyId, 1, '2026-01-01T00:00:00.000Z'), used(keyId, 1)]);
  const { position } = await log.head();
  await log.append(journal, 'any', [used(keyId, 1)]);
  const counted = async (until: string | null, since: string) =>
    (await readUses(log, { until, since, signal })).records;
  expect(await counted(position, LONG_AGO)).toBe(3);
  expect(await counted(position, '2026-02-01T00:00:00.000Z')).toBe(2);
  expect(await counted(null, LONG_AGO)).toBe(0);
});

it('counts an event once that is twice in a journal', async () => {
  const { keyId } = await keysOf(log, clock, 'acme').mint();
  await log.append(journal, 'any', [used(keyId, 1)]);
  const twice = logWith(log, {
    async *subscribe(...call) {
      for await (const batch of log.subscribe(...call))
        yield { ...batch, events: batch.events.flatMap((event) => [event, event]) };
    },
  });
  expect((await read(twice)).records).toBe(2);
});
