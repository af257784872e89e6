import { isMissingTable } from '../engine/postgres/errors.ts';
import type { Database } from '../engine/postgres/pool.ts';
import type { Clock } from '../engine/time/clock.ts';
import type { Position } from '../engine/log/event-store.ts';
import type { IndexedEvent, IndexedPage, LogIndex } from '../engine/log/log-index.ts';
import { positionIn, sortableOf } from '../engine/log/positions.ts';
import { streamOf } from '../engine/log/streams.ts';
import { statementsOf } from '../engine/projections/apply/table-sql.ts';
import type { ReadModels } from '../engine/projections/read-models.ts';
import { busPositions } from './bus/positions.ts';
import type { ChangeIndex } from './tickets/feed/feed.ts';
import { ticketPositions } from './tickets/positions.ts';

export interface PositionParts {
  readonly db: Pick<Database, 'pool'>;
  readonly models: Pick<ReadModels, 'waitFor'>;
}

export const ticketPositionIndex = ({ db: { pool }, models }: PositionParts): ChangeIndex => {
  const last = async (organisation: string): Promise<Position | null> => {
    const { rows } = await pool.query<{ place: string }>(
      `select place from ${TICKETS} where organisation_id = $1
       order by organisation_id desc, place desc limit 1`,
      [organisation],
    );
    return rows[0] ? positionIn(rows[0].place) : null;
  };

  return {
    last,

    reaches: (position, timeoutMs) => models.waitFor([ticketPositions.name], position, timeoutMs),

    holds: async ({ organisation }, position) => {
      const { rowCount } = await pool.query(
        `select from ${TICKETS} where organisation_id = $1 and place = $2`,
        [organisation, placeOf(position)],
      );
      return rowCount! > 0;
    },

    async after({ organisation, buildingId }, after, limit): Promise<IndexedPage> {
      // A reader of one building skips events of other buildings up to this position. Read before
      // the rows, so that the rows include every event up to it.
      const upTo = buildingId === undefined ? null : await last(organisation);
      const { rows } = await pool.query<TicketIndexRow>({
        name: buildingId === undefined ? 'ticket positions' : 'ticket positions of a building',
        text: buildingId === undefined ? OF_ORGANISATION : OF_BUILDING,
        values: [organisation, placeOf(after), limit, ...(buildingId ? [buildingId] : [])],
      });
      return { events: rows.map(ticketEvent), upTo };
    },
  };
};

interface TicketIndexRow {
  readonly ticketId: string;
  readonly revision: number;
  readonly place: string;
}

const {
  tables: [TICKETS],
} = statementsOf(ticketPositions);

const ticketArm = (building: string) =>
  `(select ticket_id as "ticketId", revision, place from ${TICKETS}
    where organisation_id = $1 and place > $2${building}
    order by organisation_id, place limit $3)`;
const OF_ORGANISATION = ticketArm('');
/** Each arm walks one index in its order. */
const OF_BUILDING = `select * from (
    ${ticketArm(' and building_id = $4')}
    union all
    ${ticketArm(' and building_id is null')}
  ) as found order by place limit $3`;

const ticketEvent = ({ ticketId, revision, place }: TicketIndexRow): IndexedEvent => ({
  stream: streamOf('ticket', ticketId),
  revision,
  position: positionIn(place),
});

export interface BusPositionSelection {
  readonly type?: string | undefined;
  /** Absent: all. */
  readonly buildings?: ReadonlySet<string> | undefined;
}

/** Omits messages of journals past their retention. */
export const busPositionIndex = (
  { db: { pool }, models }: PositionParts,
  clock: Clock,
): LogIndex<BusPositionSelection> => ({
  reaches: (position, timeoutMs) => models.waitFor([busPositions.name], position, timeoutMs),

  holds: async (_, position) => {
    const { rowCount } = await pool.query(`select from ${MESSAGES} where place = $1`, [
      placeOf(position),
    ]);
    return rowCount! > 0;
  },

  async after({ type, buildings }, after, limit) {
    const values: unknown[] = [placeOf(after), clock.now(), limit];
    const bound = (value: unknown): string => `$${values.push(value)}`;
    const ofType = type === undefined ? '' : ` and type = ${bound(type)}`;
    const arm = (building: string) =>
      `select stream, revision, place from ${MESSAGES}
       where place > $1 and retires_at > $2${ofType}${building}
       order by place limit $3`;
    // A full page per building: no index has the order of several buildings.
    const text =
      buildings === undefined
        ? arm('')
        : `select found.* from unnest(${bound([...buildings])}::text[]) as asked (building_id)
           cross join lateral (${arm(' and building_id = asked.building_id')}) as found
           order by place limit $3`;
    const { rows } = await pool.query<Omit<IndexedEvent, 'position'> & { place: string }>(
      text,
      values,
    );
    const events = rows.map(({ stream, revision, place }) => ({
      stream,
      revision,
      position: positionIn(place),
    }));
    return { events, upTo: null };
  },
});

/**
 * The oldest of the messages with these ids, without those of journals past their retention. `null`
 * also while the read model is built for the first time: publishing must not wait for it.
 */
export const keptBusMessage =
  ({ pool }: Pick<Database, 'pool'>, clock: Clock) =>
  async (ids: readonly string[]): Promise<Position | null> => {
    try {
      const { rows } = await pool.query<{ place: string }>({
        name: 'kept bus message',
        text: `select place from ${MESSAGES} where id = any($1) and retires_at > $2
               order by place limit 1`,
        values: [ids, clock.now()],
      });
      return rows[0] ? positionIn(rows[0].place) : null;
    } catch (error) {
      if (isMissingTable(error)) return null;
      throw error;
    }
  };

const {
  tables: [MESSAGES],
} = statementsOf(busPositions);

const placeOf = (position: Position | null): string =>
  position === null ? '' : sortableOf(position);
