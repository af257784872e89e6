/** The indexes of the feeds, folded from a log in memory at each query. */
import type { BusSelection } from '../../../src/bus/log/page.ts';
import type { ChangeIndex } from '../../../src/projections/tickets/feed/feed.ts';
import type { Clock } from '../../../src/engine/time/clock.ts';
import type { Recorded } from '../../../src/engine/log/codec.ts';
import type { BusPosition } from '../../../src/projections/bus/positions.ts';
import { busPositions } from '../../../src/projections/bus/positions.ts';
import type { TicketPosition } from '../../../src/projections/tickets/positions.ts';
import { ticketPositions } from '../../../src/projections/tickets/positions.ts';
import { rowFold, type AnyProjection } from '../../../src/engine/projections/projection.ts';
import type { EventStore, Position } from '../../../src/engine/log/event-store.ts';
import type { IndexedPage, LogIndex } from '../../../src/engine/log/log-index.ts';
import { positionIn, sortableOf } from '../../../src/engine/log/positions.ts';
import { streamOf } from '../../../src/engine/log/streams.ts';
import { allEvents } from './all-events.ts';

/** The rows after a batch, by key. @param rows Those that it may touch, as they were. */
export const rowsAfter = (
  projection: AnyProjection,
  facts: readonly Recorded[],
  rows: ReadonlyMap<string, object>,
): ReadonlyMap<string, object | null> => {
  const fold = rowFold<{ type: string }, object>(projection, rows, {
    leavesOut: () => false,
    on: (_, error) => {
      throw error;
    },
  });
  for (const fact of facts) fold.take(fact);
  return fold.after;
};

const rowsOf = async <Row>(log: EventStore, projection: AnyProjection): Promise<readonly Row[]> => {
  const events = await allEvents(log, { categories: projection.categories });
  const facts = events.map((event) => projection.codec.decode(event));
  return [...rowsAfter(projection, facts, new Map()).values()] as Row[];
};

const pageOf = (
  rows: readonly { readonly stream: string; readonly revision: number; readonly place: string }[],
  after: Position | null,
  limit: number,
): IndexedPage['events'] =>
  rows
    .filter(({ place }) => place > (after === null ? '' : sortableOf(after)))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, limit)
    .map(({ stream, revision, place }) => ({ stream, revision, position: positionIn(place) }));

const lastOf = (rows: readonly Pick<TicketPosition, 'place'>[]): Position | null => {
  const last = rows
    .map(({ place }) => place)
    .toSorted()
    .at(-1);
  return last === undefined ? null : positionIn(last);
};

export const ticketIndexOf = (log: EventStore): ChangeIndex => ({
  last: async (organisation) => {
    const rows = await rowsOf<TicketPosition>(log, ticketPositions);
    return lastOf(rows.filter(({ organisationId }) => organisationId === organisation));
  },
  reaches: async () => true,
  holds: async ({ organisation }, position) =>
    (await rowsOf<TicketPosition>(log, ticketPositions)).some(
      (row) => row.organisationId === organisation && row.place === sortableOf(position),
    ),
  async after({ organisation, buildingId }, after, limit) {
    const rows = await rowsOf<TicketPosition>(log, ticketPositions);
    const own = rows.filter(({ organisationId }) => organisationId === organisation);
    const wanted = own.filter(
      (row) => buildingId === undefined || [null, buildingId].includes(row.buildingId),
    );
    const inStreams = wanted.map((row) => ({ ...row, stream: streamOf('ticket', row.ticketId) }));
    const upTo = buildingId === undefined ? null : lastOf(own);
    return { events: pageOf(inStreams, after, limit), upTo };
  },
});

export const busIndexOf = (log: EventStore, clock: Clock): LogIndex<BusSelection> => ({
  reaches: async () => true,
  holds: async (_, position) =>
    (await rowsOf<BusPosition>(log, busPositions)).some(
      ({ place }) => place === sortableOf(position),
    ),
  async after({ type, buildings }, after, limit) {
    const rows = await rowsOf<BusPosition>(log, busPositions);
    const wanted = rows.filter(
      (row) =>
        row.retiresAt > clock.now() &&
        (type === undefined || row.type === type) &&
        buildings?.has(row.buildingId) !== false,
    );
    return { events: pageOf(wanted, after, limit), upTo: null };
  },
});
