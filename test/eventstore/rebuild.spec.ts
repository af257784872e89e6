/** A read model built from a log with an unreadable event, on a real EventStoreDB. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { ProjectionRequest } from '../../src/engine/projections/read-models.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import {
  caughtUp,
  projectionsOn,
  type RunningProjections,
} from '../support/consumers/running-projections.ts';
import { garbled, made, painted, rowsOf, widgets } from '../support/consumers/sample-projection.ts';
import { until } from '../support/until.ts';
import { freshDatabase } from '../support/postgres/database.ts';

const url = inject('eventstoreUrl');

describe('a rebuild over an unreadable event', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let log: EventStore;
  let one: RunningProjections;
  /** The server is shared: each test reads a unique category. */
  let category: string;
  beforeEach(async () => {
    database = await freshDatabase();
    log = eventstoreDbStore({ url });
    category = `widget${randomUUID().slice(-12)}`;
    one = projectionsOn(database.url, log, {
      projections: [{ ...widgets, categories: [category] }],
    });
  });
  afterEach(async () => {
    await one.stop();
    await log.close();
    await database.drop();
  });

  const rebuilt = async (acceptParked = false): Promise<ProjectionRequest> => {
    const asked = { kind: 'rebuild', acceptParked, by: 'ana' } as const;
    const { id } = await one.models.ask('widgets', asked);
    const find = async () => (await one.models.requests('widgets')).find((it) => it.id === id)!;
    await until(async () => (await find()).endedAt !== null, 'the end of a rebuild');
    return find();
  };
  const shown = async () =>
    (await rowsOf(one.db)).map(({ id, colour, facts }) => [id, colour, facts]);

  it('in the middle of the log parks one stream, and all others are correct', async () => {
    for (const widget of ['a', 'b', 'c'])
      await log.append(`${category}-${widget}`, 'no_stream', [made(), painted('blue')]);
    await log.append(`${category}-b`, 1, [garbled(), painted('green')]);
    for (const widget of ['a', 'c'])
      await log.append(`${category}-${widget}`, 1, [painted('green')]);
    one.start();
    await caughtUp(one.models, log);
    const expected = [
      ['a', 'green', 3],
      ['b', 'blue', 2],
      ['c', 'green', 3],
    ];
    const parked = [{ stream: `${category}-b`, revision: 2, skipped: 1 }];
    expect(await shown()).toEqual(expected);
    expect(await one.models.parked('widgets')).toMatchObject(parked);

    expect(await rebuilt()).toMatchObject({ state: 'done' });
    expect(await shown()).toEqual(expected);
    expect(await one.models.parked('widgets')).toMatchObject(parked);
  });

  it('that parks more streams than before is swapped in only if accepted', async () => {
    await log.append(`${category}-a`, 'no_stream', [made(), painted('blue')]);
    await log.append(`${category}-b`, 'no_stream', [made(), garbled()]);
    one.start();
    await caughtUp(one.models, log);
    // As if the previous release could read an event that this one cannot.
    await one.db.pool.query('delete from consumers.parked');
    await one.db.pool.query(`update widgets_v1.widget set colour = 'by hand' where id = 'a'`);
    expect(await rebuilt()).toMatchObject({ state: 'refused', result: { newlyParked: 1 } });
    expect(await shown()).toContainEqual(['a', 'by hand', 2]);
    expect(await rebuilt(true)).toMatchObject({ state: 'done' });
    expect(await shown()).toContainEqual(['a', 'blue', 2]);
    expect(await one.models.parked('widgets')).toMatchObject([{ stream: `${category}-b` }]);
  });
});
