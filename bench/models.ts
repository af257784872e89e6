/**
 * The cost of a second model of a building: 80,000 elements are assigned to 10,000 rooms on 20
 * storeys by geometry.
 *
 *     node bench/models.ts
 *
 * The peer is the same elements without positions, which get no rooms. Times are of the whole
 * import as JSON, from the first byte to the commit.
 */
import { performance } from 'node:perf_hooks';
import { isRefusal } from '../src/engine/aggregates/decider.ts';
import type { ImportDocument } from '../src/domain/buildings/document.ts';
import { roomsByPosition } from '../src/domain/buildings/rooms-by-position.ts';
import type { ImportOptions, ImportResult } from '../src/building/graph/graph.ts';
import { buildingImports } from '../src/building/imports/imports.ts';
import { systemClock } from '../src/engine/time/clock.ts';
import { migrate } from '../src/engine/postgres/migrate.ts';
import { openDatabase } from '../src/engine/postgres/pool.ts';
import { loggerOf } from '../src/engine/observe/logging.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { benchCluster } from './support/cluster.ts';

const STOREYS = 20;
const ROOMS = 500;
const ELEMENTS = 4_000;
/** Rooms of 4 m by 4 m in rows of 25, with walls between them. */
const PITCH = 4.2;

const cluster = await benchCluster();
const db = openDatabase({ url: await cluster.database('models'), logger: loggerOf('warn') });
await migrate(db.pool, migrations);
const imports = buildingImports({ databaseUrl: db.url });

const square = (n: number): [number, number][][] => {
  const [x, y] = [(n % 25) * PITCH, Math.floor(n / 25) * PITCH];
  return [
    [
      [x, y],
      [x + 4, y],
      [x + 4, y + 4],
      [x, y + 4],
    ],
  ];
};

const documentOf = (storey: (n: number) => object): ImportDocument => ({
  site: { code: 'S', name: 'Site' },
  building: {
    code: 'B',
    name: 'Building',
    storeys: Array.from({ length: STOREYS }, (_, n) => ({
      code: `${n}`,
      name: `Level ${n}`,
      level: n,
      elevation: 3 * n,
      ...storey(n),
    })),
  },
});

const architecture = documentOf((storey) => ({
  spaces: Array.from({ length: ROOMS }, (_, n) => ({
    code: `${storey}-${n}`,
    name: `Room ${n}`,
    spaceTypeSlug: 'office',
    outline: square(n),
  })),
}));

const electrics = (prefix: string, isPlaced: boolean) =>
  documentOf((storey) => ({
    elements: Array.from({ length: ELEMENTS }, (_, n) => ({
      code: `${prefix}${storey}-${n}`,
      name: `Lamp ${n}`,
      elementTypeSlug: 'light-fixture',
      ...(isPlaced && { x: ((n * 7) % 105) + 0.5, y: ((n * 13) % 84) + 0.5 }),
    })),
  }));

const run = async (
  what: string,
  document: ImportDocument,
  into: Partial<ImportOptions>,
): Promise<ImportResult> => {
  async function* bytes() {
    yield Buffer.from(JSON.stringify(document));
  }
  const began = performance.now();
  const outcome = await imports.run(
    { format: 'json', bytes: bytes() },
    {
      organisation: 'bench',
      caller: 'bench',
      named: false,
      options: { at: systemClock.now(), by: { kind: 'system', id: 'bench' }, ...into },
    },
  );
  const seconds = ((performance.now() - began) / 1_000).toFixed(2);
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  console.log(`${what}: ${seconds} s, ${JSON.stringify(outcome.elements)}`);
  return outcome;
};

const { buildingId } = await run('rooms', architecture, {});
const peer = electrics('p', false);
await run('a model without positions', peer, { buildingId, model: 'peer' });
await run('the same again', peer, { buildingId, model: 'peer' });
await run(
  'and gone',
  documentOf(() => ({})),
  { buildingId, model: 'peer', replace: true },
);
const model = electrics('e', true);
await run('a model with positions', model, { buildingId, model: 'electrical' });
await run('the same again', model, { buildingId, model: 'electrical' });
await run('renewed rooms', architecture, { buildingId, replace: true });

const began = performance.now();
const at = roomsByPosition(
  Array.from({ length: ROOMS * STOREYS }, (_, n) => ({ id: `${n}`, outline: square(n) })),
);
for (let n = 0; n < ELEMENTS * STOREYS; n += 1) at([(n * 7) % 105, (n * 13) % 1_680]);
const ms = Math.round(performance.now() - began);
console.log(`matching alone, all rooms on one storey: ${ms} ms`);

await db.close();
await cluster.stop();
