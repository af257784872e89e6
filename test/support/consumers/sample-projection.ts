/** A sample projection with an aggregate, small enough to be compared with a query in SQL. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../../src/engine/postgres/pool.ts';
import type { Projection } from '../../../src/engine/projections/projection.ts';
import { codecOf } from '../../../src/engine/log/codec.ts';
import type { NewEvent } from '../../../src/engine/log/event-store.ts';
import { keyOf } from '../../../src/engine/log/streams.ts';

export type WidgetEvent =
  | { type: 'WidgetMade'; colour: string; size: number }
  | { type: 'WidgetPainted'; colour: string }
  | { type: 'WidgetLost' };

export interface Widget {
  readonly id: string;
  readonly colour: string;
  readonly size: number;
  readonly madeAt: string;
  readonly facts: number;
  readonly history: readonly string[];
}

const widgetCodec = codecOf<WidgetEvent>({
  WidgetMade: {
    schema: z.strictObject({ type: z.literal('WidgetMade'), colour: z.string(), size: z.number() }),
  },
  WidgetPainted: {
    schema: z.strictObject({ type: z.literal('WidgetPainted'), colour: z.string() }),
  },
  WidgetLost: { schema: z.strictObject({ type: z.literal('WidgetLost') }) },
});

/** One row per widget; `facts` counts its events, to detect one applied twice or never. */
export const widgets: Projection<WidgetEvent, Widget> = {
  name: 'widgets',
  version: 1,
  categories: ['widget'],
  codec: widgetCodec,
  table: {
    name: 'widget',
    key: 'id',
    columns: {
      id: 'text not null',
      colour: 'varchar(20) collate "C" not null',
      size: 'integer not null',
      madeAt: 'timestamptz not null',
      facts: 'bigint not null',
      history: 'jsonb not null',
    },
    indexes: ['create index on $table (colour)'],
  },
  tallies: [
    {
      name: 'by_colour',
      columns: { colour: 'text not null', big: 'text' },
      keysOf: ({ colour, size }) => [[colour, size > 5 ? 'big' : null]],
    },
  ],
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: ({ event, at, stream }, widget) => {
    if (event.type === 'WidgetMade')
      return {
        id: keyOf(stream),
        colour: event.colour,
        size: event.size,
        madeAt: at,
        facts: 1,
        history: [event.colour],
      };
    if (event.type === 'WidgetLost') return null;
    if (widget === null) throw new Error('painted before it was made');
    return {
      ...widget,
      colour: event.colour,
      facts: widget.facts + 1,
      history: [...widget.history, event.colour].slice(-5),
    };
  },
};

const widgetEvent = (event: WidgetEvent): NewEvent =>
  widgetCodec.encode(randomUUID(), event, {
    commandId: randomUUID(),
    at: '2026-03-02T12:00:00.000Z',
    by: { kind: 'user', id: 'ana' },
    origin: 'api',
  });

export const made = (colour = 'red', size = 1) => widgetEvent({ type: 'WidgetMade', colour, size });
export const painted = (colour: string) => widgetEvent({ type: 'WidgetPainted', colour });
export const lost = () => widgetEvent({ type: 'WidgetLost' });

/** A stored event that its schema rejects. */
export const garbled = (): NewEvent => ({ ...painted('red'), data: { colour: 7 } });

export const rowsOf = async (db: Pick<Database, 'pool'>, schema = 'widgets_v1') => {
  const { rows } = await db.pool.query<Widget>(
    `select id, colour, size, made_at as "madeAt", facts, history
     from ${schema}.widget order by id`,
  );
  return rows;
};

export const talliesOf = async (db: Pick<Database, 'pool'>) => {
  const { rows } = await db.pool.query<{ colour: string; big: string | null; n: number }>(
    `select colour, big, n from widgets_v1.by_colour order by colour, big nulls first`,
  );
  return rows;
};

export const countedOf = async (db: Pick<Database, 'pool'>) => {
  const { rows } = await db.pool.query<{ colour: string; big: string | null; n: number }>(
    `select colour, case when size > 5 then 'big' end as big, count(*) as n
     from widgets_v1.widget group by 1, 2 order by colour, big nulls first`,
  );
  return rows;
};
