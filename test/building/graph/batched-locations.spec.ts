import { describe, expect, it } from 'vitest';
import { batchedLocations } from '../../../src/building/graph/batched-locations.ts';
import type { BuildingLocation } from '../../../src/domain/buildings/location.ts';
import { LOCATIONS_AT_ONCE_MAX } from '../../../src/building/graph/limits.ts';

const NOWHERE = { storeyId: null, spaceId: null, elementId: null };

const spaceOf = (id: string) => ({ ...NOWHERE, buildingId: 'b', spaceId: id });

const graphOf = (answer: (organisation: string) => Promise<unknown>) => {
  const asked: [organisation: string, count: number][] = [];
  const { resolveLocation, aliasesOf } = batchedLocations({
    async resolveLocations(organisation, all) {
      asked.push([organisation, all.length]);
      await answer(organisation);
      return all.map((location) => ({ ...NOWHERE, ...location }) as BuildingLocation);
    },
    aliasesOf: async (organisation, ids) => {
      asked.push([organisation, ids.length]);
      return new Map(ids.map((id) => [`${id}+`, [id]]));
    },
    successorsOf: async (_, locations) => locations,
  });
  return { asked, resolve: resolveLocation, aliasesOf };
};

describe('locations of tickets opened in one turn', () => {
  it('are looked up by organisation, in statements of bounded size', async () => {
    const { asked, resolve } = graphOf(async () => {});
    const all = Array.from({ length: LOCATIONS_AT_ONCE_MAX + 1 }, (_, n) => spaceOf(`${n}`));
    const found = await Promise.all([
      ...all.map((one) => resolve('acme', one)),
      resolve('globex', all[0]!),
    ]);
    expect(found).toEqual([...all, all[0]]);
    expect(asked).toEqual([
      ['acme', LOCATIONS_AT_ONCE_MAX],
      ['globex', 1],
      ['acme', 1],
    ]);
  });

  it('look up the aliases of their places once', async () => {
    const { asked, aliasesOf } = graphOf(async () => {});
    const found = await Promise.all([
      aliasesOf('acme', ['1', '2']),
      aliasesOf('acme', ['2', '1']),
      aliasesOf('globex', ['3']),
    ]);
    expect(found.map((ids) => [...ids])).toEqual([
      [
        ['1+', ['1']],
        ['2+', ['2']],
      ],
      [
        ['1+', ['1']],
        ['2+', ['2']],
      ],
      [['3+', ['3']]],
    ]);
    expect(asked).toEqual([
      ['acme', 2],
      ['globex', 1],
    ]);
  });

  it('fail together, and neither delay nor fail those of another organisation', async () => {
    const slow = Promise.withResolvers<never>();
    const { resolve } = graphOf((organisation) =>
      organisation === 'acme' ? slow.promise : Promise.resolve(),
    );
    const together = Promise.allSettled(['1', '2'].map((id) => resolve('acme', spaceOf(id))));
    expect(await resolve('globex', spaceOf('3'))).toEqual(spaceOf('3'));
    slow.reject(new Error('away'));
    expect((await together).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('wait for no lookup that started earlier', async () => {
    const { asked, resolve } = graphOf(() => new Promise(() => {}));
    void resolve('acme', spaceOf('1'));
    await new Promise(setImmediate);
    void resolve('acme', spaceOf('2'));
    await new Promise(setImmediate);
    expect(asked).toHaveLength(2);
  });
});
