import { describe, expect, it } from 'vitest';
import { shapeOf } from '../../../../src/engine/projections/apply/shape.ts';
import type { AnyProjection } from '../../../../src/engine/projections/projection.ts';
import {
  caughtUp,
  projectionTests,
  requestDone,
} from '../../../support/consumers/running-projections.ts';
import { made, rowsOf, widgets } from '../../../support/consumers/sample-projection.ts';
import { until } from '../../../support/until.ts';

const test = projectionTests();

/** The same name and version with another column, as if the version bump was forgotten. */
const forgotten = (version: number): AnyProjection => ({
  ...widgets,
  version,
  table: { ...widgets.table, columns: { ...widgets.table.columns, weight: 'integer' } },
});

const OTHER = /stand in another shape than this release declares .*: widgets 1; raise the version/;

describe('the shape of a read model', () => {
  const { table, tallies = [] } = widgets;
  const changes: [string, Partial<AnyProjection>][] = [
    ['its version', { version: 2 }],
    ['a column', { table: { ...table, columns: { ...table.columns, size: 'bigint not null' } } }],
    ['its key', { table: { ...table, key: 'colour' } }],
    ['the name of its table', { table: { ...table, name: 'gadget' } }],
    ['a tally', { tallies: [{ ...tallies[0]!, columns: { colour: 'text' } }] }],
    ['the absence of tallies', { tallies: [] }],
  ];
  it.each(changes)('includes %s', (_, change) => {
    expect(shapeOf({ ...widgets, ...change })).not.toBe(shapeOf(widgets));
  });

  it('excludes its indexes and the fold', () => {
    const change = { table: { ...table, indexes: [], storage: 'fillfactor = 90' } };
    expect(shapeOf({ ...widgets, ...change, keyOf: () => null })).toBe(shapeOf(widgets));
  });
});

describe('a release that declares another shape under the same version', () => {
  it('reports it, is not ready and leaves the read model to others', async () => {
    await test.log.append('widget-a', 'no_stream', [made('red')]);
    const before = test.start();
    await caughtUp(before.models, test.log);
    await before.stop();

    const wrong = test.start({ projections: [forgotten(1)] });
    await until(async () => (await wrong.models.status())[0]?.lastError !== null, 'the refusal');
    expect((await wrong.models.status())[0]?.lastError).toMatch(OTHER);
    expect(await wrong.models.ready()).toMatch(OTHER);

    // The rows are unchanged, and a release with their shape feeds them meanwhile.
    await test.log.append('widget-b', 'no_stream', [made('blue')]);
    const right = test.start();
    await caughtUp(right.models, test.log);
    expect((await rowsOf(right.db)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(await right.models.ready()).toBe(true);
  });

  it('builds a separate read model once the version is raised', async () => {
    await test.log.append('widget-a', 'no_stream', [made('red')]);
    const before = test.start();
    await caughtUp(before.models, test.log);
    const raised = test.start({ projections: [forgotten(2)] });
    await caughtUp(raised.models, test.log);
    expect(await raised.models.ready()).toBe(true);
    expect(await before.models.ready()).toBe(true);
  });
});

it('a read model keeps its shape when a rebuild takes its place', async () => {
  await test.log.append('widget-a', 'no_stream', [made('red')]);
  const { models, db } = test.start();
  await caughtUp(models, test.log);
  expect(await requestDone({ models }, { kind: 'rebuild' })).toMatchObject({ state: 'done' });
  expect(await shapeIn(db)).toBe(shapeOf(widgets));
});

it('a read model without a stored shape is accepted', async () => {
  await test.log.append('widget-a', 'no_stream', [made('red')]);
  const first = test.start();
  await caughtUp(first.models, test.log);
  await first.stop();
  const { pool } = test.openDatabase();
  await pool.query('comment on schema widgets_v1 is null');
  const second = test.start();
  await caughtUp(second.models, test.log);
  await until(async () => (await shapeIn(second.db)) === shapeOf(widgets), 'its shape');
  expect(await second.models.ready()).toBe(true);
});

const shapeIn = async ({ pool }: Parameters<typeof rowsOf>[0]): Promise<string | null> => {
  const { rows } = await pool.query<{ shape: string | null }>(
    `select obj_description(to_regnamespace('widgets_v1'), 'pg_namespace') as shape`,
  );
  return rows[0]?.shape ?? null;
};
