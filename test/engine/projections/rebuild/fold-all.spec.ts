import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextDueAt } from '../../../../src/domain/tickets/view.ts';
import type { AnyProjection } from '../../../../src/engine/projections/projection.ts';
import { foldAll, type Overflow } from '../../../../src/engine/projections/rebuild/fold-all.ts';
import { ticketList } from '../../../../src/projections/tickets/list.ts';
import type { Batch, StoredEvent } from '../../../../src/engine/log/event-store.ts';
import { histories, openedPlainly } from '../../../projections/tickets/ticket-histories.ts';
import { storedOf, viewOf } from '../../../projections/tickets/ticket-tables.ts';

async function* batches(events: readonly StoredEvent[], length: number): AsyncGenerator<Batch> {
  for (let at = 0; at < events.length; at += length) {
    const part = events.slice(at, at + length);
    yield { events: part, upTo: String(at + part.length), caughtUp: false };
  }
}

const NO_OVERFLOW: Overflow = { store: async () => {} };

const fold = (
  events: readonly StoredEvent[],
  {
    length = 3,
    projection = ticketList as AnyProjection,
    bytesMax = Infinity,
    overflow = NO_OVERFLOW,
  } = {},
) =>
  foldAll(projection, batches(events, length), {
    rowsMax: Infinity,
    bytesMax,
    overflow,
    passedOver: new Set(),
    onProgress: () => {},
  });

/** The events of all streams, interleaved round-robin. */
const inTurns = (streams: readonly (readonly StoredEvent[])[]): StoredEvent[] => {
  const longest = Math.max(0, ...streams.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) =>
    streams.flatMap((events) => events[turn] ?? []),
  ).flat();
};

/** Their rows fill more than 160 MiB. */
const TICKETS = 90_000;

const ticket = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const opened = (n: number) => openedPlainly('2026-02-01T09:00:00.000Z', ticket(n), `SR-${n}`);
const at = '2026-02-01T10:00:00.000Z';

describe('folding the whole log', () => {
  it('needs no more memory than half of the heap of a small process', async () => {
    const program = fileURLToPath(new URL('fold-in-small-heap.ts', import.meta.url));
    const small = ['--max-old-space-size=160', program, String(TICKETS)];
    const { stdout } = await promisify(execFile)(process.execPath, small);
    expect(Number(stdout)).toBe(TICKETS);
  });

  it('equals the view of each ticket, though rows are changed in place', () =>
    fc.assert(
      fc.asyncProperty(histories(0), fc.integer({ min: 1, max: 20 }), async (tickets, length) => {
        const { rows, parked, applied } = await fold(inTurns(tickets.map(storedOf)), { length });
        expect(parked.size).toBe(0);
        expect(applied).toBe(tickets.flat().length);
        const views = tickets.map(viewOf);
        expect(rows).toEqual(
          new Map(
            views.map((view) => {
              const { kind, id } = view.createdBy;
              const reporterUserId = kind === 'user' ? id : null;
              return [view.id, { ...view, nextDueAt: nextDueAt(view), reporterUserId }];
            }),
          ),
        );
      }),
      { numRuns: 50 },
    ));

  it('parks a stream from an event that cannot be folded, with the row before it', async () => {
    const refusing: AnyProjection = {
      ...ticketList,
      rowAfter: (fact, row, inPlace) => {
        if (fact.event.type === 'FirstResponseMade') throw new Error('no');
        return ticketList.rowAfter(fact, row, inPlace);
      },
    };
    const first = storedOf([
      opened(1),
      { at, event: { type: 'TicketAssigned', assignedUserId: 'ana', assignedTeamId: null } },
      { at, event: { type: 'FirstResponseMade' } },
      { at, event: { type: 'TicketAssigned', assignedUserId: 'bo', assignedTeamId: null } },
      { at, event: { type: 'FirstResponseMade' } },
    ]);
    const second = storedOf([opened(2)]);
    for (const length of [1, 3, 10]) {
      const events = inTurns([first, second]);
      const { rows, parked, applied } = await fold(events, { length, projection: refusing });
      expect([...parked]).toEqual([
        ['ticket-' + ticket(1), { event: first[2], error: expect.any(Error), skipped: 2 }],
      ]);
      expect(applied).toBe(3);
      expect(rows.get(ticket(1))).toMatchObject({ assignedUserId: 'ana', revision: 1 });
      expect(rows.size).toBe(2);
    }
  });

  it('spills its rows when they use too much memory, however often they change', async () => {
    /** The revision of the ticket at its first spill; `null`: never. */
    const storedAt = async (events: readonly StoredEvent[], length?: number) => {
      const stored: unknown[] = [];
      const store: Overflow['store'] = async (rows) => {
        for (const row of rows.values()) stored.push((row as { revision: number }).revision);
      };
      await fold(events, { bytesMax: 20_000, length, overflow: { store } });
      return stored[0] ?? null;
    };
    const edited = (description: string) => ({
      at,
      event: { type: 'TicketEdited' as const, changes: { description } },
    });
    // A row of 4,000 characters at any time, changed 200 times.
    const often = storedOf([
      opened(1),
      ...Array.from({ length: 200 }, () => edited('x'.repeat(4_000))),
    ]);
    expect(await storedAt(often)).toBe(null);
    const grown = storedOf([
      opened(1),
      ...[1, 2, 3, 4].map((kilos) => edited('x'.repeat(kilos * 5_000))),
    ]);
    expect(await storedAt(grown, 1)).toBe(2);
    // Near the bound the rows are measured once, not with each further batch.
    const nearly = storedOf([
      opened(1),
      ...Array.from({ length: 40 }, () => edited('x'.repeat(9_000))),
    ]);
    expect(await storedAt(nearly, 1)).toBe(2);
  });
});
