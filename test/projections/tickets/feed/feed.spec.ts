import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TicketEvent } from '../../../../src/domain/tickets/events.ts';
import { READ_YOUR_WRITES_WAIT_MS } from '../../../../src/limits.ts';
import {
  CHANGES_OF_TICKET_KEPT_MAX,
  CHANGES_PAGE_BYTES_MAX,
  CHANGES_TICKETS_CACHED_MAX,
} from '../../../../src/projections/tickets/limits.ts';
import { loggerOf } from '../../../../src/engine/observe/logging.ts';
import {
  changeFeed,
  type ChangeFeed,
  type FeedPage,
} from '../../../../src/projections/tickets/feed/feed.ts';
import type { EventStore, Position } from '../../../../src/engine/log/event-store.ts';
import { LogUnavailable } from '../../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../../src/engine/log/memory/store.ts';
import { feedSkips } from '../../../../src/use-cases/tickets/feed-skips.ts';
import { ticketIndexOf } from '../../../support/log/memory-index.ts';
import { ticketLog, type TicketLog } from '../../../support/log/ticket-log.ts';
import { noon } from '../../../support/domain/specify.ts';
import {
  assigned,
  draft,
  firstResponseBreached,
  moved,
  noted,
  opened,
  responded,
} from '../../../support/domain/tickets.ts';
import { ticketChanges } from '../../../../src/projections/tickets/feed/changes.ts';
import { logWith } from '../../../../src/engine/log/log-with.ts';
import { heldFor, letPass } from '../../../support/until.ts';

const logger = loggerOf('silent');
const never = new AbortController().signal;
/** Longer than any test: who is still waiting then was not woken. */
const LONG_MS = 60_000;
const elsewhere = '3b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22';

let log: EventStore;
let tickets: TicketLog;
let feed: ChangeFeed;

/** No fact is old enough to have expired, which would be looked for. */
const clock = { now: () => noon.at };

const feedOn = (on: EventStore, index = ticketIndexOf(log)) =>
  changeFeed({ log: on, index, logger, changes: ticketChanges(on, { clock }) });

beforeEach(() => {
  log = memoryEventStore();
  tickets = ticketLog(log);
  feed = feedOn(log);
});
afterEach(() => log.close());

const page = (after: Position | null = null, limit = 100, organisation = 'acme') =>
  feed.page({ organisation, after, limit });
const waiting = (
  after: Position | null,
  { signal = never, waitMs = LONG_MS, organisation = 'acme' } = {},
) => feed.await({ organisation, after, limit: 100 }, waitMs, signal);
const edited = (subject: string) =>
  ({ type: 'TicketEdited', changes: { subject } }) satisfies TicketEvent;
const note = () => ({ ...noted(), noteId: randomUUID() }) satisfies TicketEvent;
/** Those of a page that show their ticket. */
const shownIn = ({ items }: FeedPage) => items.filter((item) => item.change !== 'unreadable');
const changesOf = ({ items }: FeedPage) => items.map(({ ticketId, change }) => [ticketId, change]);

describe('the feed', () => {
  it('has one change per command, in log order, with actor and channel', async () => {
    const a = await tickets.open();
    const b = await tickets.open();
    await tickets.command(a, [moved('new', 'triaged'), note()]);
    await tickets.command(b, [assigned('ana'), responded], {
      by: { kind: 'client', id: 'cafm' },
      origin: 'work_order',
    });
    const { items, caughtUp, blocked } = await page();
    expect(items).toMatchObject([
      { ticketId: a, change: 'created', actor: noon.by, origin: 'api', at: noon.at },
      { ticketId: b, change: 'created' },
      { ticketId: a, change: 'state', revision: 2, at: '2026-03-02T12:01:00.000Z' },
      {
        ticketId: b,
        change: 'assignment',
        actor: { kind: 'client', id: 'cafm' },
        origin: 'work_order',
      },
    ]);
    expect(items.map(({ position }) => position)).toEqual(['1', '2', '4', '6']);
    expect({ caughtUp, blocked }).toEqual({ caughtUp: true, blocked: null });
  });

  it('shows the ticket as each change left it, even if it has changed since', async () => {
    const id = await tickets.open();
    for (const subject of ['one', 'two', 'three']) await tickets.command(id, [edited(subject)]);
    const subjects = (read: FeedPage) => shownIn(read).map(({ ticket }) => ticket.subject);
    expect(subjects(await page())).toEqual(['Sink', 'one', 'two', 'three']);
    // Cached by now: a reader from the beginning sees the same.
    expect(subjects(await page())).toEqual(['Sink', 'one', 'two', 'three']);
    expect(subjects(await page('2', 1))).toEqual(['two']);
    expect(shownIn(await page()).map(({ ticket }) => ticket.revision)).toEqual([0, 1, 2, 3]);
  });

  it('returns the same from the beginning, wherever other readers are', async () => {
    const id = await tickets.open();
    for (let n = 0; n < 3 * CHANGES_OF_TICKET_KEPT_MAX; n += 1)
      await tickets.command(id, [edited(`${n}`), note()]);
    const first = await page();
    expect(first.items).toHaveLength(3 * CHANGES_OF_TICKET_KEPT_MAX + 1);
    for (const limit of [1, 7]) {
      const items: unknown[] = [];
      for (let after: Position | null = null; ;) {
        const read: FeedPage = await page(after, limit);
        if (read.items.length === 0) break;
        items.push(...read.items);
        after = read.next;
      }
      expect(items).toEqual(first.items);
      expect(await page()).toEqual(first);
    }
  });

  it('contains no changes of other organisations, and they do not move its cursor', async () => {
    const theirs = await tickets.open('globex');
    const ours = await tickets.open('acme');
    await tickets.command(theirs, [edited('theirs')]);
    const read = await page();
    expect(changesOf(read)).toEqual([[ours, 'created']]);
    expect(read.next).toBe('2');
    expect(changesOf(await page(null, 100, 'globex'))).toEqual([
      [theirs, 'created'],
      [theirs, 'fields'],
    ]);
    expect(await page(null, 100, 'initech')).toMatchObject({
      items: [],
      next: null,
      caughtUp: true,
    });
  });

  it("costs in proportion to its result, not to other organisations' writes", async () => {
    const theirs = await tickets.open('globex');
    for (let n = 0; n < 300; n += 1) await tickets.command(theirs, [edited(`${n}`)]);
    const ours = await tickets.open();
    const cost = { events: 0, indexed: 0 };
    const readAll: EventStore['readAll'] = () => Promise.reject(new Error('reads the whole log'));
    const readStream: EventStore['readStream'] = async (...asked) => {
      const read = await log.readStream(...asked);
      cost.events += read.length;
      return read;
    };
    const index = ticketIndexOf(log);
    const after: typeof index.after = async (...asked) => {
      const found = await index.after(...asked);
      cost.indexed += found.events.length;
      return found;
    };
    feed = feedOn(logWith(log, { readAll, readStream }), { ...index, after });
    const first = await page();
    expect(changesOf(first)).toEqual([[ours, 'created']]);
    expect(first).toMatchObject({ next: '302', caughtUp: true });
    expect(cost).toEqual({ events: 1, indexed: 1 });
    for (let n = 0; n < 10; n += 1)
      expect(await page(first.next)).toMatchObject({ items: [], next: '302', caughtUp: true });
    expect(await page(null, 100, 'initech')).toMatchObject({ next: null, caughtUp: true });
    expect(cost).toEqual({ events: 1, indexed: 1 });
  });

  it('is caught up exactly when no later change existed at the request', async () => {
    for (let n = 0; n < 3; n += 1) await tickets.open();
    const ends = async (limit: number) => {
      const found: boolean[] = [];
      for (let after: Position | null = null; found.at(-1) !== true;) {
        const read: FeedPage = await page(after, limit);
        expect(read.items.length).toBeGreaterThan(0);
        found.push(read.caughtUp);
        after = read.next;
      }
      return found;
    };
    expect(await ends(1)).toEqual([false, false, true]);
    expect(await ends(2)).toEqual([false, true]);
    expect(await ends(3)).toEqual([true]);
  });

  it('is not caught up while its index is behind the end of the log as it was', async () => {
    await tickets.open();
    const asked: Position[] = [];
    const reaches = async (position: Position) => {
      asked.push(position);
      return false;
    };
    const after = async () => ({ events: [], upTo: null });
    feed = feedOn(log, { ...ticketIndexOf(log), reaches, after });
    expect(await page()).toMatchObject({ items: [], next: null, caughtUp: false });
    await tickets.open();
    await page();
    expect(asked).toEqual(['1', '2']);
  });

  it('can be filtered by building, and moves past the changes of others', async () => {
    const here = await tickets.open();
    const there = randomUUID();
    await tickets.command(there, [opened({ ticketId: there, buildingId: elsewhere })]);
    await tickets.command(here, [edited('one')]);
    await tickets.command(there, [edited('two')]);
    const of = (buildingId: string) =>
      feed.page({ organisation: 'acme', after: null, limit: 100, buildingId });
    expect(changesOf(await of(elsewhere))).toEqual([
      [there, 'created'],
      [there, 'fields'],
    ]);
    expect((await of(draft.buildingId)).next).toBe('4');
    expect(await of(randomUUID())).toMatchObject({ items: [], next: '4' });
    await tickets.raw(here, { type: 'TicketEnchanted', data: {} });
    expect((await of(elsewhere)).blocked).toBeNull();
    expect((await of(draft.buildingId)).blocked).not.toBeNull();
  });

  it("omits another building's ticket whose building the index does not know", async () => {
    const there = randomUUID();
    await tickets.command(there, [opened({ ticketId: there, buildingId: elsewhere })]);
    const here = await tickets.open();
    const index = ticketIndexOf(log);
    // As if an earlier release, which could not read the openings, had indexed both tickets.
    feed = feedOn(log, {
      ...index,
      after: ({ organisation }, ...rest) => index.after({ organisation }, ...rest),
    });
    const of = (buildingId: string, limit: number) =>
      feed.page({ organisation: 'acme', after: null, limit, buildingId });
    expect(changesOf(await of(elsewhere, 100))).toEqual([[there, 'created']]);
    expect(await of(elsewhere, 100)).toMatchObject({ next: '2', caughtUp: true });
    expect(changesOf(await of(draft.buildingId, 1))).toEqual([[here, 'created']]);
  });

  it('has the warnings and breaches of a command, each with the resulting ticket', async () => {
    const id = await tickets.open();
    await tickets.command(id, [firstResponseBreached, assigned('ana'), responded]);
    const [, { change, slaEvents, ticket } = { slaEvents: [] }] = shownIn(await page());
    expect(change).toBe('assignment');
    const { clock, dueAt } = firstResponseBreached;
    expect(slaEvents).toMatchObject([
      { kind: 'breached', clock, dueAt, ticket: { revision: 1, assignedUserId: null } },
    ]);
    expect(ticket?.revision).toBe(3);
  });

  it("belongs to the ticket's organisation, not to the actor's", async () => {
    const theirs = await tickets.open('globex');
    const by = { kind: 'system', id: 'process:any' } as const;
    await tickets.command(theirs, [edited('moved')], { by, origin: 'system' });
    expect((await page()).items).toEqual([]);
    expect((await page(null, 100, 'globex')).items).toHaveLength(2);
  });

  it('never splits a command over two pages, from any cursor', async () => {
    const id = await tickets.open();
    await tickets.command(id, [assigned('ana'), responded]);
    await tickets.command(id, [moved('new', 'triaged'), note()]);
    for (const after of [null, '1', '2', '3', '4', '5']) {
      const changes = changesOf(await page(after)).map(([, change]) => change);
      const from = { null: 0, '1': 1, '2': 1, '3': 2, '4': 2, '5': 3 }[String(after)];
      expect(changes).toEqual(['created', 'assignment', 'state'].slice(from));
      expect(changesOf(await page(after, 1)).map(([, change]) => change)).toEqual(
        changes.slice(0, 1),
      );
    }
  });

  it('begins a log without tickets at its beginning, and an empty one too', async () => {
    expect(await page()).toEqual({ items: [], next: null, caughtUp: true, blocked: null });
    await log.append('keyuse-acme.202603', 'any', [
      { id: randomUUID(), type: 'KeyUsed', data: {}, meta: { commandId: randomUUID() } },
    ]);
    expect((await page()).next).toBeNull();
  });

  it('refuses a position after the end of the log', async () => {
    await tickets.open();
    await expect(page('7')).rejects.toThrow('is after the end');
    expect((await page('1')).items).toEqual([]);
  });

  it('has each change exactly once, with pages of any size', async () => {
    const step = fc.record({
      ticket: fc.nat({ max: 5 }),
      facts: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        async (steps, sizes) => {
          log = memoryEventStore();
          tickets = ticketLog(log);
          feed = feedOn(log);
          const ids: string[] = [];
          const expected: [string, string, number][] = [];
          const revisions = new Map<string, number>();
          for (const [index, { ticket, facts }] of steps.entries()) {
            const organisation = ticket % 3 === 2 ? 'globex' : 'acme';
            const id = (ids[ticket] ??= await tickets.open(organisation));
            if (!revisions.has(id)) {
              revisions.set(id, 0);
              if (organisation === 'acme') expected.push([id, 'Sink', 0]);
            }
            const subject = `${index}`;
            await tickets.command(id, [
              edited(subject),
              ...Array.from({ length: facts - 1 }, () => note()),
            ]);
            const revision = revisions.get(id)! + facts;
            revisions.set(id, revision);
            if (organisation === 'acme') expected.push([id, subject, revision]);
          }
          const seen: [string, string | null, number][] = [];
          let after: Position | null = null;
          for (let turn = 0; ; turn += 1) {
            const read: FeedPage = await page(after, sizes[turn % sizes.length]);
            for (const { ticketId, ticket, revision } of shownIn(read)) {
              expect(ticket.revision).toBe(revision);
              seen.push([ticketId, ticket.subject, revision]);
            }
            after = read.next;
            if (read.caughtUp) break;
          }
          expect(seen).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('fails while the log is unavailable, and continues after it', async () => {
    await tickets.open();
    let away = true;
    const head: EventStore['head'] = () =>
      away ? Promise.reject(new LogUnavailable('away')) : log.head();
    feed = feedOn(logWith(log, { head }));
    await expect(page()).rejects.toThrow(LogUnavailable);
    away = false;
    expect((await page()).items).toHaveLength(1);
  });

  it('does not show a ticket that its stream does not show yet', async () => {
    const id = await tickets.open();
    await tickets.command(id, [edited('later')]);
    const readStream: EventStore['readStream'] = async (stream, range) =>
      (await log.readStream(stream, range)).filter(({ revision }) => revision < 1);
    feed = feedOn(logWith(log, { readStream }));
    await expect(page()).rejects.toThrow(LogUnavailable);
  });

  it('folds no stream twice for readers that follow it', async () => {
    const id = await tickets.open();
    let events = 0;
    const readStream: EventStore['readStream'] = async (...asked) => {
      const read = await log.readStream(...asked);
      events += read.length;
      return read;
    };
    feed = feedOn(logWith(log, { readStream }));
    let after: Position | null = null;
    for (let turn = 0; turn < 30; turn += 1) {
      const pages = await Promise.all(Array.from({ length: 5 }, () => page(after)));
      for (const each of pages) expect(each.items).toHaveLength(1);
      after = pages[0]!.next;
      await tickets.command(id, [edited(`${turn}`)]);
    }
    expect(events).toBe(30);
    expect(CHANGES_OF_TICKET_KEPT_MAX).toBeLessThan(30);
    expect(CHANGES_TICKETS_CACHED_MAX).toBeGreaterThan(1);
  });
});

describe('a page of long changes', () => {
  const long = 'x'.repeat(20_000);
  const count = 3 * Math.ceil(CHANGES_PAGE_BYTES_MAX / long.length);

  it('ends early, and the next one goes on from there', async () => {
    for (let each = 0; each < count; each += 1) {
      await tickets.open('acme', [{ ...note(), body: long }]);
    }
    const found: string[] = [];
    let pages = 0;
    for (let after: Position | null = null; ;) {
      const read: FeedPage = await page(after, 500);
      pages += 1;
      found.push(...read.items.map(({ ticketId }) => ticketId));
      expect(JSON.stringify(read.items).length).toBeLessThan(3 * CHANGES_PAGE_BYTES_MAX);
      after = read.next;
      if (read.caughtUp) break;
    }
    expect(pages).toBeGreaterThan(1);
    expect(found).toHaveLength(count);
    expect(new Set(found).size).toBe(count);
  });

  it('of one ticket has each of its many notes once', async () => {
    const id = await tickets.open();
    for (let each = 0; each < count; each += 1) {
      await tickets.command(id, [{ ...note(), body: long }]);
    }
    const revisions: number[] = [];
    for (let after: Position | null = null; ;) {
      const { items, next, caughtUp }: FeedPage = await page(after, 7);
      revisions.push(...items.map(({ revision }) => revision));
      after = next;
      if (caughtUp) break;
    }
    expect(revisions).toEqual(Array.from({ length: count + 1 }, (_, index) => index));
  });
});

describe('a change that cannot be decoded', () => {
  const newer = { type: 'TicketEnchanted', data: { spell: 'lumos' } };

  it('stops the feed before it, and names the ticket and the time', async () => {
    const a = await tickets.open();
    const b = await tickets.open();
    await tickets.raw(a, newer);
    await tickets.command(b, [edited('after')]);
    const read = await page();
    expect(changesOf(read)).toEqual([
      [a, 'created'],
      [b, 'created'],
    ]);
    expect(read).toMatchObject({
      next: '2',
      blocked: { ticketId: a, since: '2026-03-02T13:00:00.000Z' },
    });
    const again = await page(read.next);
    expect(again).toEqual({ items: [], next: '2', caughtUp: false, blocked: read.blocked });
  });

  it('does not stop the feeds of other organisations', async () => {
    const theirs = await tickets.open('globex');
    await tickets.raw(theirs, newer);
    const ours = await tickets.open();
    const read = await page();
    expect(changesOf(read)).toEqual([[ours, 'created']]);
    expect(read.blocked).toBeNull();
    expect((await page(null, 100, 'globex')).blocked?.ticketId).toBe(theirs);
  });

  it('is all that remains of a ticket with an invalid opening', async () => {
    const id = randomUUID();
    const meta = { commandId: randomUUID(), at: noon.at, by: 'user:ana', organisation: 'acme' };
    await log.append(`ticket-${id}`, 'no_stream', [
      { id: randomUUID(), type: 'TicketOpened', data: { subject: 7 }, meta },
    ]);
    expect((await page()).blocked).toEqual({ ticketId: id, since: noon.at });
  });
});

describe('a change skipped by an operator', () => {
  const newer = { type: 'TicketEnchanted', data: { spell: 'lumos' } };
  const skip = (ticketId: string, revision: number, organisation = 'acme') =>
    feedSkips(log).skip({
      ticketId,
      organisation,
      eventId: randomUUID(),
      revision,
      reason: 'NewerReleaseNeeded',
      at: noon.at,
      by: noon.by,
    });

  it("is reported as unreadable, like its ticket's later ones, and hides no other", async () => {
    const a = await tickets.open();
    const b = await tickets.open();
    await tickets.raw(a, newer);
    await tickets.command(b, [edited('after')]);
    await tickets.command(a, [edited('one'), note()]);
    await tickets.command(a, [edited('two')]);
    expect((await page()).blocked).toMatchObject({ ticketId: a });
    await skip(a, 1);
    const read = await page();
    expect(changesOf(read)).toEqual([
      [a, 'created'],
      [b, 'created'],
      [a, 'unreadable'],
      [b, 'fields'],
      [a, 'unreadable'],
      [a, 'unreadable'],
    ]);
    expect(read.items[2]).toEqual({
      change: 'unreadable',
      position: '3',
      revision: 1,
      at: '2026-03-02T13:00:00.000Z',
      ticketId: a,
    });
    expect(read).toMatchObject({ next: '7', caughtUp: true, blocked: null });
    // With pages of any size, and in another process.
    feed = feedOn(log);
    for (const limit of [1, 2, 5]) {
      const items: unknown[] = [];
      for (let after: Position | null = null; ;) {
        const part: FeedPage = await page(after, limit);
        items.push(...part.items);
        after = part.next;
        if (part.items.length === 0) break;
      }
      expect(items).toEqual(read.items);
    }
  });

  it('is returned in full by a release that can read it', async () => {
    const id = await tickets.open();
    await tickets.command(id, [edited('one')]);
    await skip(id, 1);
    expect(changesOf(await page())).toEqual([
      [id, 'created'],
      [id, 'fields'],
    ]);
  });

  it('is skipped alone: the next ticket stops the feed again', async () => {
    const a = await tickets.open();
    const b = await tickets.open();
    await tickets.raw(a, newer);
    await tickets.raw(b, newer);
    await skip(a, 1);
    expect(changesOf(await page('2'))).toEqual([[a, 'unreadable']]);
    expect((await page('2')).blocked).toMatchObject({ ticketId: b });
    await skip(b, 0);
    expect((await page('2')).blocked).toMatchObject({ ticketId: b });
  });

  it('wakes waiting readers', async () => {
    const id = await tickets.open();
    await tickets.raw(id, newer);
    // Longer than a test may take: a reader would also find it at its own deadline.
    const answer = waiting('1', { waitMs: 10 * LONG_MS });
    expect(await heldFor(answer, 50)).toBe('held');
    await skip(id, 1);
    expect(changesOf(await answer)).toEqual([[id, 'unreadable']]);
  });

  it('has a time and a position though no event beside it can be read', async () => {
    const id = await tickets.open();
    const { position } = await log.append(`ticket-${id}`, 0, [
      { id: randomUUID(), ...newer, meta: { commandId: '', at: 'yesterday' } },
    ]);
    await skip(id, 1);
    const [stored] = await log.readStream(`ticket-${id}`, { from: 1 });
    expect((await page('1')).items).toMatchObject([{ position, at: stored!.recordedAt }]);
  });
});

describe('a reader that waits', () => {
  it('is answered when there is a change, and not before', async () => {
    const id = await tickets.open();
    const { next } = await page();
    const answer = waiting(next);
    await tickets.open('globex');
    expect(await heldFor(answer, 100)).toBe('held');
    await tickets.command(id, [edited('news')]);
    expect(changesOf(await answer)).toEqual([[id, 'fields']]);
  });

  it('is answered immediately when a change exists', async () => {
    const id = await tickets.open();
    expect(changesOf(await waiting(null))).toEqual([[id, 'created']]);
  });

  it("gets an empty answer at its deadline, despite other organisations' changes", async () => {
    const answer = waiting(null, { waitMs: 150 });
    await tickets.open('globex');
    expect(await answer).toMatchObject({ items: [], next: null });
  });

  it('misses no change between its read and its wait', async () => {
    const { next } = await page();
    let first = true;
    const index = ticketIndexOf(log);
    const after: typeof index.after = async (...asked) => {
      const read = await index.after(...asked);
      if (!first) return read;
      first = false;
      await tickets.open();
      await letPass(100, 'the watch has been woken');
      return read;
    };
    feed = feedOn(log, { ...index, after });
    expect((await waiting(next)).items).toHaveLength(1);
  });

  it('shares one subscription with all the others, which ends with the last of them', async () => {
    let open = 0;
    let ever = 0;
    const subscribe: EventStore['subscribe'] = async function* (...asked) {
      open += 1;
      ever += 1;
      try {
        yield* log.subscribe(...asked);
      } finally {
        open -= 1;
      }
    };
    feed = feedOn(logWith(log, { subscribe }));
    const gone = new AbortController();
    const all = Array.from({ length: 50 }, () => waiting(null));
    const others = Array.from({ length: 50 }, () =>
      waiting(null, { organisation: 'globex', signal: gone.signal }),
    );
    await expect.poll(() => open).toBe(1);
    const id = await tickets.open();
    for (const answer of await Promise.all(all))
      expect(changesOf(answer)).toEqual([[id, 'created']]);
    expect([open, ever]).toEqual([1, 1]);
    gone.abort();
    for (const answer of await Promise.all(others)) expect(answer.items).toEqual([]);
    await expect.poll(() => open).toBe(0);
  });

  it('waits no longer than its caller does', async () => {
    const gone = new AbortController();
    const answer = waiting(null, { signal: gone.signal });
    expect(await heldFor(answer, 20)).toBe('held');
    gone.abort();
    expect((await answer).items).toEqual([]);
  });

  it('waits before a change that cannot be decoded', async () => {
    const id = await tickets.open();
    await tickets.raw(id, { type: 'TicketEnchanted', data: {} });
    const answer = waiting('1', { waitMs: 200 });
    expect(await heldFor(answer, 50)).toBe('held');
    expect((await answer).blocked?.ticketId).toBe(id);
  });

  it('is answered late, not never, where the subscription broke', async () => {
    const subscribe: EventStore['subscribe'] = () => {
      throw new Error('the log has a hole');
    };
    feed = feedOn(logWith(log, { subscribe }));
    const answer = waiting(null, { waitMs: READ_YOUR_WRITES_WAIT_MS / 2 });
    expect(await heldFor(answer, 50)).toBe('held');
    await tickets.open();
    expect((await answer).items).toHaveLength(1);
  });

  it("reads again when a change's organisation is unknown", async () => {
    const id = await tickets.open();
    let asked = 0;
    const readStream: EventStore['readStream'] = (...of) =>
      (asked += 1) === 1 ? Promise.reject(new LogUnavailable('away')) : log.readStream(...of);
    feed = feedOn(logWith(log, { readStream }));
    const answer = waiting('1');
    expect(await heldFor(answer, 50)).toBe('held');
    await tickets.command(id, [edited('news')]);
    expect(changesOf(await answer)).toEqual([[id, 'fields']]);
  });

  it('fails while the log is unavailable, and waits again after it', async () => {
    let away = true;
    const head: EventStore['head'] = () =>
      away ? Promise.reject(new LogUnavailable('away')) : log.head();
    feed = feedOn(logWith(log, { head }));
    await expect(waiting(null)).rejects.toThrow(LogUnavailable);
    away = false;
    await tickets.open();
    expect((await waiting(null)).items).toHaveLength(1);
  });
});
