/** A read model small enough to be told in SQL, and everything around it that a test moves. */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { Database } from '../../../src/db/pool.ts';
import type { Leases } from '../../../src/consumers/leases.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import {
  readModels,
  type ReadModels,
  type ReadModelsParts,
} from '../../../src/projections/read-models.ts';
import { codecOf } from '../../../src/store/codec.ts';
import type { EventStore, NewEvent } from '../../../src/store/event-store.ts';
import { logWith } from '../../../src/store/log-with.ts';
import { keyOf } from '../../../src/store/streams.ts';
import { testConsumers, type TestConsumersOptions } from './consumers.ts';

export type ThingEvent =
  | { type: 'ThingMade'; colour: string; size: number }
  | { type: 'ThingPainted'; colour: string }
  | { type: 'ThingLost' };

export interface Thing {
  readonly id: string;
  readonly colour: string;
  readonly size: number;
  readonly madeAt: string;
  readonly facts: number;
  readonly history: readonly string[];
}

export const thingCodec = codecOf<ThingEvent>({
  ThingMade: {
    schema: z.strictObject({ type: z.literal('ThingMade'), colour: z.string(), size: z.number() }),
  },
  ThingPainted: { schema: z.strictObject({ type: z.literal('ThingPainted'), colour: z.string() }) },
  ThingLost: { schema: z.strictObject({ type: z.literal('ThingLost') }) },
});

/** One row a thing; `facts` counts every fact, so that one applied twice or never shows. */
export const things: Projection<ThingEvent, Thing> = {
  name: 'things',
  version: 1,
  categories: ['thing'],
  codec: thingCodec,
  table: {
    name: 'thing',
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
  rowAfter: ({ event, at, stream }, thing) => {
    if (event.type === 'ThingMade')
      return {
        id: keyOf(stream),
        colour: event.colour,
        size: event.size,
        madeAt: at,
        facts: 1,
        history: [event.colour],
      };
    if (event.type === 'ThingLost') return null;
    if (thing === null) throw new Error('painted before it was made');
    return {
      ...thing,
      colour: event.colour,
      facts: thing.facts + 1,
      history: [...thing.history, event.colour].slice(-5),
    };
  },
};

export const fact = (event: ThingEvent): NewEvent =>
  thingCodec.encode(randomUUID(), event, {
    commandId: randomUUID(),
    at: '2026-03-02T12:00:00.000Z',
    by: { kind: 'user', id: 'ana' },
    origin: 'api',
  });

export const made = (colour = 'red', size = 1) => fact({ type: 'ThingMade', colour, size });
export const painted = (colour: string) => fact({ type: 'ThingPainted', colour });
export const lost = () => fact({ type: 'ThingLost' });

/** What the log holds but no schema of ours fits. */
export const garbled = (): NewEvent => ({ ...painted('red'), data: { colour: 7 } });

export interface Platform {
  readonly models: ReadModels;
  readonly db: Pick<Database, 'pool'>;
  readonly locks: Leases;
  start(): void;
  stop(): Promise<void>;
}

export type PlatformOptions = TestConsumersOptions & Partial<Omit<ReadModelsParts, 'consumers'>>;

/** One process's worth of read models, over a log and a database that others may share. */
export const platform = (url: string, log: EventStore, options: PlatformOptions = {}): Platform => {
  const { projections = [things], ...bounds } = options;
  const { consumers, leases, db, start, stop } = testConsumers(url, log, options);
  const models = readModels({ projections, ...bounds, consumers });
  return { models, db, locks: leases, start: () => start(models.runners), stop };
};

/** Waits until the read model shows the head of the log. */
export const caughtUp = async (models: ReadModels, log: EventStore, name = 'things') => {
  const { position } = await log.head();
  if (position === null) return;
  if (!(await models.waitFor([name], position, 10_000)))
    throw new Error(`${name} did not catch up`);
};

export const rowsOf = async (db: Pick<Database, 'pool'>, schema = 'things_v1') => {
  const { rows } = await db.pool.query<Thing>(
    `select id, colour, size, made_at as "madeAt", facts, history from ${schema}.thing order by id`,
  );
  return rows;
};

export const talliesOf = async (db: Pick<Database, 'pool'>) => {
  const { rows } = await db.pool.query<{ colour: string; big: string | null; n: number }>(
    `select colour, big, n from things_v1.by_colour where n <> 0 order by colour, big nulls first`,
  );
  return rows;
};

export const countedOf = async (db: Pick<Database, 'pool'>) => {
  const { rows } = await db.pool.query<{ colour: string; big: string | null; n: number }>(
    `select colour, case when size > 5 then 'big' end as big, count(*) as n
     from things_v1.thing group by 1, 2 order by colour, big nulls first`,
  );
  return rows;
};

export { logWith };

/** The same log, handed on in batches of so many events. */
export const inBatchesOf = (events: number, log: EventStore): EventStore =>
  logWith(log, {
    subscribe: (after, options) => log.subscribe(after, { ...options, batchEventsMax: events }),
  });

/** A pool whose statements pass through `through`, by name or text. */
export const poolThrough = (
  pool: Pool,
  through: (statement: string, send: () => Promise<unknown>) => Promise<unknown>,
): Pool =>
  new Proxy(pool, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== 'function') return value;
      if (member !== 'query') return value.bind(target) as unknown;
      return (query: string | { name?: string; text: string }, ...rest: unknown[]) => {
        const statement = typeof query === 'string' ? query : (query.name ?? query.text);
        return through(statement, () => value.call(target, query, ...rest) as Promise<unknown>);
      };
    },
  });

/** Polls until `holds` is true; fails after ten seconds. */
export const until = async (holds: () => boolean | Promise<boolean>, what = 'it') => {
  const deadline = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come about`);
    await new Promise((go) => setTimeout(go, 10));
  }
};
