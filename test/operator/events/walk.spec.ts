import { expect, it } from 'vitest';
import { walked } from '../../../src/operator/events/walk.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { logIdentity } from '../../../src/engine/log/log-identity.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { happened } from '../../support/log/events.ts';

const signal = new AbortController().signal;

const typesIn = async (log: EventStore, after: string | null = null) => {
  const types: string[] = [];
  for await (const events of walked(log, { after, categories: null, signal }))
    types.push(...events.map(({ type }) => type));
  return types;
};

it('ends at the head of its start, whatever is recorded meanwhile', async () => {
  const log = memoryEventStore();
  await log.append('ticket-1', 'no_stream', [happened('A'), happened('B')]);
  const head = await log.head();
  await log.append('ticket-1', 1, [happened('C')]);
  const earlier = logWith(log, { head: async () => head });
  expect(await typesIn(earlier)).toEqual(['A', 'B']);
});

it('ends at once in an empty log', async () => {
  const log = memoryEventStore();
  expect(await typesIn(log)).toEqual([]);
  const { position } = await log.append('ticket-1', 'no_stream', [happened('A')]);
  expect(await typesIn(log, position)).toEqual([]);
});

it('skips the streams in which the log describes itself', async () => {
  const log = memoryEventStore();
  await logIdentity(log);
  await log.append('ticket-1', 'no_stream', [happened('A')]);
  await log.append('log-place-moving', 'any', [happened('B')]);
  await log.append('logbook-1', 'no_stream', [happened('C')]);
  expect(await typesIn(log)).toEqual(['A', 'C']);
});
