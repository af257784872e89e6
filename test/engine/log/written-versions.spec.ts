import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { release } from '../../../src/compose.ts';
import { aggregate } from '../../../src/engine/aggregates/aggregate.ts';
import { codecOf, type EventType } from '../../../src/engine/log/codec.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { writtenIn, writtenVersions } from '../../../src/engine/log/written-versions.ts';
import { noon } from '../../support/domain/specify.ts';

type Painted = { readonly type: 'Painted'; readonly colour: string; readonly gloss: number };

/** The older release has no `gloss`. */
const newer = codecOf<Painted>({
  Painted: {
    schema: z.strictObject({ type: z.literal('Painted'), colour: z.string(), gloss: z.int() }),
    version: 2,
    upcasters: { 1: (data) => ({ ...data, gloss: 0 }) },
    writtenBefore: { version: 1, data: ({ colour }) => ({ colour }) },
  },
});
const older = codecOf<{ readonly type: 'Painted'; readonly colour: string }>({
  Painted: z.strictObject({ type: z.literal('Painted'), colour: z.string() }),
});

const by = { kind: 'system', id: 'operator' } as const;
let log: EventStore;
beforeEach(() => {
  log = memoryEventStore();
});

/** A process of the newer release. */
const started = () => {
  const versions = writtenVersions(log, newer.types);
  const written = writtenIn(log, versions);
  const things = aggregate<{ readonly gloss: number }, null, number, Painted>({
    log: written,
    category: 'thing',
    codec: newer,
    decider: {
      initial: null,
      decide: ({ gloss }) => [{ type: 'Painted', colour: 'red', gloss }],
      evolve: () => null,
    },
    viewAfter: ({ event }) => event.gloss,
  });
  const paint = (id: string, gloss: number) =>
    things.give(id, { commandId: randomUUID(), command: { gloss } }, { ...noon, origin: 'api' });
  return { versions, written, things, paint };
};

describe('until an operator raises the written versions', () => {
  it('events are written in the versions that the older release reads', async () => {
    const { paint } = started();
    await paint('a', 7);
    const [stored] = await log.readStream('thing-a');
    expect(stored).toMatchObject({ data: { colour: 'red' }, meta: { schema: '1' } });
    expect(older.decode(stored!).event).toEqual({ type: 'Painted', colour: 'red' });
  });

  it('a caller is answered the stored event', async () => {
    const { paint, things } = started();
    const { view } = await paint('a', 7);
    expect(view).toBe(0);
    expect(await things.look('a')).toMatchObject({ view: 0 });
  });

  it('a repeated command records once', async () => {
    const { things } = started();
    const given = { commandId: randomUUID(), bodyHash: 'f00', command: { gloss: 7 } };
    const occasion = { ...noon, origin: 'api' } as const;
    await things.give('a', given, occasion);
    expect(await started().things.give('a', given, occasion)).toMatchObject({ replayed: true });
    expect(await log.readStream('thing-a')).toHaveLength(1);
  });

  it('an event appended in another version is stored as it is', async () => {
    const { written } = started();
    const meta = { commandId: randomUUID(), at: noon.at, by: 'user:ada', origin: 'api' };
    const old = { id: randomUUID(), type: 'Painted', data: { colour: 'red', gloss: 'no' }, meta };
    await written.append('thing-a', 'no_stream', [old]);
    expect(await log.readStream('thing-a')).toMatchObject([old]);
  });
});

describe('raising the versions', () => {
  it("makes every process write this release's versions, also one started later", async () => {
    const { versions, paint } = started();
    expect(await versions.toRaise()).toEqual({ Painted: 2 });
    expect(await versions.raise(by, noon.at)).toEqual({ Painted: 2 });
    expect((await paint('a', 7)).view).toBe(7);
    expect((await started().paint('b', 8)).view).toBe(8);
    expect(await log.readStream('thing-b')).toMatchObject([{ meta: { schema: '2' } }]);
  });

  it('is idempotent', async () => {
    const { versions } = started();
    await versions.raise(by, noon.at);
    expect(await versions.raise(by, noon.at)).toEqual({});
    expect(await started().versions.toRaise()).toEqual({});
    expect((await log.head()).position).toBe('1');
  });

  it('reads no log where no event has an older written version', async () => {
    const closed = memoryEventStore();
    await closed.close();
    const plain = new Map<string, EventType>([['Painted', { schema: z.unknown() }]]);
    const versions = writtenVersions(closed, plain);
    const events = [{ id: randomUUID(), type: 'Painted', data: {}, meta: {} }];
    expect(await versions.asWritten(events)).toBe(events);
  });
});

describe('the events of this release', () => {
  it('have an upcaster from each version that is still written', () => {
    const unlifted = [...release.eventTypes].filter(([, { upcasters = {}, writtenBefore }]) => {
      if (!writtenBefore) return false;
      return upcasters[writtenBefore.version] === undefined;
    });
    expect(unlifted).toEqual([]);
  });
});
