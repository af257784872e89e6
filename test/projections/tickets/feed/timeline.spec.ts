/** Pages of a timeline, of a ticket that is folded once for several of them. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PERSON_KEY_TRUSTED_MS } from '../../../../src/engine/limits.ts';
import { memoryEventStore } from '../../../../src/engine/log/memory/store.ts';
import type { EventStore } from '../../../../src/engine/log/event-store.ts';
import { timelines } from '../../../../src/projections/tickets/feed/timeline.ts';
import { openedPlainly } from '../ticket-histories.ts';
import { storedOf, type Fact } from '../ticket-tables.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('uses a folded ticket no longer than a key of a person, however many pages follow', async () => {
  const ticketId = randomUUID();
  const at = '2026-01-01T00:00:00.000Z';
  const notes = ['a', 'b', 'c', 'd'].map((body): Fact => ({
    at,
    event: { type: 'NoteAdded', noteId: randomUUID(), body, visibility: 'public' },
  }));
  const events = storedOf([openedPlainly(at, ticketId, 'SR-000001'), ...notes]);
  const log = memoryEventStore();
  await log.append(`ticket-${ticketId}`, 'no_stream', events);
  const readFrom: (number | undefined)[] = [];
  const counted: Pick<EventStore, 'readStream'> = {
    readStream: (stream, range) => {
      readFrom.push(range?.from);
      return log.readStream(stream, range);
    },
  };
  // Nothing is old enough to have expired, which would be looked for.
  const pages = timelines(counted, { now: () => at });
  const next = async (after: number) => {
    const page = await pages.page({ ticketId, after, limit: 1, isShown: () => true });
    return page.next!;
  };
  let after = await next(-1);
  for (let page = 0; page < 2; page += 1) {
    vi.advanceTimersByTime(PERSON_KEY_TRUSTED_MS * 0.6);
    after = await next(after);
  }
  // The creation is no item: the first page ends with the note at revision 1.
  expect(readFrom).toEqual([0, 2, 0]);
});
