import { expect, it } from 'vitest';
import { makeSeries } from '../../../src/building/telemetry/points.ts';
import { buildingWith } from '../../support/api/telemetry.ts';
import { freshGraph, imported, noon } from '../../support/postgres/building-graph.ts';

it('makes series in the order of the points, whatever the plan: others wait for them', async () => {
  const { graph, db, close } = await freshGraph();
  const document = buildingWith({ A: {}, B: {}, C: {} });
  const { buildingId } = imported(await graph.importBuilding('acme', document, noon));
  // The first one becomes the last one of the table and of its indexes.
  await db.query(
    `update graph.node set code = 'Z', external_id = 'Z' where id = (
       select id from graph.node where building_id = $1 and kind = 'point' order by id limit 1)`,
    [buildingId],
  );
  await makeSeries(db, buildingId);
  const { rows } = await db.query<{ pointId: string }>(
    'select point_id as "pointId" from telemetry.series order by id',
  );
  const made = rows.map(({ pointId }) => pointId);
  expect(made).toHaveLength(3);
  expect(made).toEqual(made.toSorted());
  await close();
});
