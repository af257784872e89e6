/** The stored hash chain of followed audit records. docs/decisions/0048. */
import { beforeEach, describe, expect, it } from 'vitest';
import { chainListOf, chainOf } from '../../../src/domain/keys/audit-chain.ts';
import { AUDIT_CHAIN_BLOCK_RECORDS_MAX } from '../../../src/processes/keys/limits.ts';
import { AuditChains } from '../../../src/processes/keys/audit-chains.ts';
import {
  chainFrom,
  chainStart,
  digestOf,
  headAfter,
  linkOf,
  type ChainedLinks,
} from '../../../src/use-cases/keys/audit-chain.ts';
import { WrongRevision, type EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { noon } from '../../support/domain/specify.ts';
import { chainAll } from '../../support/log/audit-chain.ts';
import { keyIssued, type AuditedKey } from '../../support/log/key-audit.ts';
import { clockAt } from '../../support/log/keys.ts';

const journal = 'keyuse-acme.202603';
const clock = clockAt(noon.at);
let log: EventStore;
let key: AuditedKey;
beforeEach(async () => {
  log = memoryEventStore();
  key = await keyIssued(log, 'acme', noon.at);
});

const uses = async (count: number) => {
  await key.usedBefore(Array.from({ length: count }, () => key.use(noon.at)));
};
const chainOfJournal = async (of = journal): Promise<readonly ChainedLinks[]> =>
  Array.fromAsync(chainFrom(log, of));
const records = () => log.readStream(journal, { limit: 10_000 });

it('has a link for each record, in their order, and a hash over all of them', async () => {
  await uses(3);
  await chainAll(log, clock);
  const stored = await records();
  const [block, ...others] = await chainOfJournal();
  expect(others).toEqual([]);
  expect(block!.links).toEqual(stored.map(linkOf));
  const head = stored.map(linkOf).reduce(headAfter, chainStart(journal));
  expect(block!.head).toEqual(head);
});

it('continues at the end of the chain, also when another process stored it', async () => {
  await uses(2);
  await chainAll(log, clock);
  await uses(2);
  await chainAll(log, clock);
  const blocks = await chainOfJournal();
  expect(blocks.map(({ links }) => links.map(({ revision }) => revision))).toEqual([
    [0, 1],
    [2, 3],
  ]);
  const head = (await records()).map(linkOf).reduce(headAfter, chainStart(journal));
  expect(blocks.at(-1)!.head).toEqual(head);
});

it('chains a record once that is followed twice', async () => {
  await uses(2);
  for (let times = 0; times < 3; times += 1) await chainAll(log, clock);
  expect(await chainOfJournal()).toHaveLength(1);
  expect(await log.readStream(chainListOf(journal))).toHaveLength(1);
});

it('chains keyrings too, and lists every chain', async () => {
  await uses(1);
  await chainAll(log, clock);
  const keyring = (await log.readStream('auditchains-keyring'))[0]!.data;
  expect((keyring as { journal: string }).journal).toMatch(/^keyring-\w{12}$/);
  expect((await log.readStream('auditchains-202603'))[0]!.data).toEqual({ journal });
});

it('stores a great many in blocks of a bounded size', async () => {
  await uses(AUDIT_CHAIN_BLOCK_RECORDS_MAX * 2 + 1);
  const chains = new AuditChains({ log, clock });
  chains.add(await records());
  expect(chains.waiting).toBe(2_001);
  await chains.flush();
  expect(chains.waiting).toBe(0);
  expect((await chainOfJournal()).map(({ links }) => links.length)).toEqual([1_000, 1_000, 1]);
});

it('reads records that were not followed from the journal', async () => {
  await uses(4);
  const chains = new AuditChains({ log, clock });
  chains.add((await records()).slice(2));
  await chains.flush();
  const [block] = await chainOfJournal();
  expect(block!.links.map(({ revision }) => revision)).toEqual([0, 1, 2, 3]);
});

it('leaves a gap where a record is gone before it was followed', async () => {
  await uses(4);
  await log.truncateStream(journal, 2);
  await chainAll(log, clock);
  const [block] = await chainOfJournal();
  expect(block!.links.map(({ revision }) => revision)).toEqual([2, 3]);
});

it('does not number records after a gap', async () => {
  await uses(4);
  const chains = new AuditChains({ log, clock });
  chains.add((await records()).filter(({ revision }) => revision !== 2));
  await chains.flush();
  const blocks = await chainOfJournal();
  expect(blocks.map(({ links }) => links.map(({ revision }) => revision))).toEqual([[0, 1], [3]]);
});

it('stores nothing when another process has chained meanwhile', async () => {
  await uses(1);
  const chains = new AuditChains({ log, clock });
  chains.add(await records());
  await chains.flush();
  await uses(1);
  await chainAll(log, clock);
  await uses(1);
  chains.add((await records()).slice(1));
  await expect(chains.flush()).rejects.toThrow(WrongRevision);
  expect(await chainOfJournal()).toHaveLength(2);
});

it('chains no journal that is over its term, though the log may still show it', async () => {
  await uses(1);
  const later = clockAt('2027-10-01T00:00:00.000Z');
  await chainAll(log, later);
  expect(await log.readStream(chainOf(journal))).toEqual([]);
  expect(await log.readStream(chainListOf(journal))).toEqual([]);
});

describe('the digest of a record', () => {
  it('covers its content, without its position and recording time', async () => {
    await uses(1);
    const [record] = await records();
    const moved = { ...record!, position: '99', recordedAt: '2020-01-01T00:00:00.000Z' };
    expect(digestOf(moved)).toEqual(digestOf(record!));
  });

  it.each([
    { stream: 'keyuse-globex.202603' },
    { id: '00000000-0000-4000-8000-000000000000' },
    { type: 'KeyUser' },
    { data: {} },
    { meta: {} },
  ])('changes with %j', async (change) => {
    await uses(1);
    const [record] = await records();
    expect(digestOf({ ...record!, ...change })).not.toEqual(digestOf(record!));
  });

  it('counts in the chain with its revision', async () => {
    await uses(1);
    const link = linkOf((await records())[0]!);
    const start = chainStart(journal);
    expect(headAfter(start, { ...link, revision: 1 })).not.toEqual(headAfter(start, link));
  });
});
