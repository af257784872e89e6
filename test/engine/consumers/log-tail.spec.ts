import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { LogTail } from '../../../src/engine/consumers/log-tail.ts';
import { LOG_PAGE_BYTES_MAX } from '../../../src/engine/limits.ts';
import type { StoredEvent } from '../../../src/engine/log/event-store.ts';
import { happened } from '../../support/log/events.ts';

const compare = (a: string | null, b: string | null) => Number(a ?? 0) - Number(b ?? 0);

const unbounded = {
  compare,
  bufferEventsMax: Infinity,
  bufferBytesMax: Infinity,
  keptEvents: Infinity,
};

interface Appended extends StoredEvent {
  /** Whether it is the last event of its append. */
  readonly isLast: boolean;
}

it('returns the kept events of a stream, in whole appends only', () => {
  const append = fc.record({ stream: fc.constantFrom('a-1', 'a-2', 'b-1'), count: fc.nat(3) });
  fc.assert(
    fc.property(
      fc.array(append, { minLength: 1, maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 1, max: 20 }),
      (appends, sizes, keptEvents) => {
        const revisions = new Map<string, number>();
        const log = appends
          .flatMap(({ stream, count }) =>
            Array.from({ length: count + 1 }, (_, at) => ({ stream, isLast: at === count })),
          )
          .map(({ stream, isLast }, index): Appended => {
            const revision = (revisions.get(stream) ?? -1) + 1;
            revisions.set(stream, revision);
            const position = `${index + 1}`;
            const at = { stream, revision, position, recordedAt: '2026-03-02T13:00:00.000Z' };
            return { ...happened(`${index}`), ...at, isLast };
          });
        const tail = new LogTail(null, { ...unbounded, bufferEventsMax: keptEvents, keptEvents });
        const pages: Appended[][] = [];
        let read = 0;
        for (let turn = 0; read < log.length; turn += 1) {
          const page = log.slice(read, read + sizes[turn % sizes.length]!);
          read += page.length;
          pages.push(page);
          tail.add({ events: page, upTo: page.at(-1)!.position, caughtUp: false });
          while (pages.length > 1 && pages.flat().length > keptEvents) pages.shift();
          const kept = pages.flat();
          for (const stream of revisions.keys()) {
            const its = kept.filter((event) => event.stream === stream);
            const goesOn = page.at(-1)!.stream === stream;
            expect(tail.recent(stream, (its[0]?.revision ?? 0) - 1)).toBeNull();
            for (const [at, { revision }] of its.entries()) {
              const recent = tail.recent(stream, revision);
              expect(recent).toEqual(goesOn ? null : its.slice(at));
              expect((recent?.at(-1) as Appended | undefined)?.isLast).not.toBe(false);
            }
          }
        }
      },
    ),
  );
});

const pageOf = (index: number, text: string) => {
  const position = `${index}`;
  const at = { stream: 'a-1', revision: index, position, recordedAt: '2026-03-02T13:00:00.000Z' };
  const event: StoredEvent = { ...happened(position), ...at, data: { text } };
  return { events: [event], upTo: position, caughtUp: false };
};

it('delivers no more bytes at once than a page may have, but at least one page', () => {
  const tail = new LogTail('0', unbounded);
  const cursor = tail.cursorAt('0')!;
  const third = 'x'.repeat(LOG_PAGE_BYTES_MAX / 6);
  for (const [index, text] of [third, third, third, third.repeat(9), '', ''].entries())
    tail.add(pageOf(index + 1, text));
  const taken = Array.from({ length: 4 }, () => cursor.take(undefined, 10)).map((batch) =>
    batch === null || batch === 'fallen out' ? batch : batch.events.map(({ type }) => type),
  );
  expect(taken).toEqual([['1', '2'], ['3'], ['4'], ['5', '6']]);
});

it('keeps no more bytes than its bound, but always the last page', () => {
  const tail = new LogTail('0', { ...unbounded, bufferBytesMax: 30_000 });
  const cursor = tail.cursorAt('0')!;
  for (const index of [1, 2, 3]) tail.add(pageOf(index, 'x'.repeat(6_000)));
  expect([tail.reachesBackTo('0'), tail.reachesBackTo('1')]).toEqual([false, true]);
  expect(cursor.take(undefined, 10)).toBe('fallen out');
  tail.add(pageOf(4, 'x'.repeat(60_000)));
  expect([tail.reachesBackTo('2'), tail.reachesBackTo('3')]).toEqual([false, true]);
});
