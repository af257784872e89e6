import { describe, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';
import {
  buildingOf,
  identifiedBy,
  smallBuilding,
  space,
  storey,
} from '../../support/domain/building-documents.ts';
import { poolOf } from '../../support/postgres/pool.ts';

const api = testApi();
const manager = api.as('manager@acme.test');

const BUILDINGS = '/api/v1/buildings';
const total = async (path: string): Promise<number> => (await manager.get(path)).body.total;
const graphOf = async (building: string) =>
  Promise.all(
    ['storeys', 'spaces', 'elements', 'points'].map(
      async (list) => (await manager.get(`${building}/${list}`)).body.items,
    ),
  );

describe('a dry run of an import', () => {
  it('reports the nodes of a new building, and creates none', async () => {
    const before = await total(BUILDINGS);
    const key = { 'idempotency-key': 'a-building' };
    const path = `${BUILDINGS}/import`;
    const { status, body } = await manager.post(`${path}?dryRun=true`, smallBuilding(), key);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      created: { storeys: 2, spaces: 3, elements: 2, points: 2 },
      outlines: { spaces: 0, without: 3 },
    });
    expect(body).not.toHaveProperty('buildingId');
    expect(await total(BUILDINGS)).toBe(before);
    // Its name is still unused.
    const made = await manager.post(path, smallBuilding(), key);
    expect([made.status, made.headers['idempotent-replayed']]).toEqual([201, undefined]);
    // Nor is it the answer of a name that has been used.
    const again = await manager.post(`${path}?dryRun=true`, buildingOf([]), key);
    expect([again.status, again.body.created.storeys]).toEqual([200, 0]);
  });

  it.each([true, false])('into a building with replace=%s does not change it', async (replace) => {
    const { buildingId } = (await manager.post(`${BUILDINGS}/import`, smallBuilding())).body;
    const building = `${BUILDINGS}/${buildingId}`;
    const before = await graphOf(building);
    const next = buildingOf([
      storey('00', {
        ...identifiedBy('G0'),
        spaces: [space('001', { ...identifiedBy('R1'), name: 'New' })],
      }),
    ]);
    const query = `dryRun=true&replace=${replace}`;
    const { status, body } = await manager.post(`${building}/import?${query}`, next);
    expect(status).toBe(200);
    expect(body).toMatchObject(
      replace
        ? { created: { spaces: 1 }, removed: { spaces: 3 }, gone: { spaces: 2, points: 2 } }
        : { created: { spaces: 0 }, updated: { spaces: 1 }, removed: { spaces: 0 } },
    );
    expect(await graphOf(building)).toEqual(before);
    const real = await manager.post(`${building}/import?replace=${replace}`, next);
    // Of a storey that is made anew, a dry run has no id.
    const storeys = real.body.storeys.map((found: { to: object }) =>
      replace ? { ...found, to: { ...found.to, id: null } } : found,
    );
    expect({ ...real.body, storeys }).toEqual(body);
  });

  it('is refused as the import would be', async () => {
    const twice = buildingOf([storey('00', { spaces: [space('1'), space('1')] })]);
    for (const query of ['', '?dryRun=true']) {
      const { status, body } = await manager.post(`${BUILDINGS}/import${query}`, twice);
      expect([status, body.code]).toEqual([409, 'CONFLICT']);
    }
  });

  it('leaves the building’s revision, which every import moves', async () => {
    const { buildingId } = (await manager.post(`${BUILDINGS}/import`, smallBuilding())).body;
    const db = poolOf(api.databaseUrl);
    const revision = async () =>
      (await db.query('select revision from graph.building where id = $1', [buildingId])).rows;
    const before = await revision();
    await manager.post(`${BUILDINGS}/${buildingId}/import?dryRun=true`, smallBuilding());
    expect(await revision()).toEqual(before);
    await manager.post(`${BUILDINGS}/${buildingId}/import`, smallBuilding());
    expect(await revision()).not.toEqual(before);
    await db.end();
  });
});
