import type { ClientBase } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import {
  buildingOf,
  identifiedBy,
  smallBuilding,
  space,
  storey,
} from '../../support/domain/building-documents.ts';
import {
  freshGraph,
  imported,
  noon,
  type TestGraph,
} from '../../support/postgres/building-graph.ts';

interface Followed {
  readonly kind: string;
  readonly from: string;
  readonly to: string | null;
  /** Whether the old and the new node both exist while followers run. */
  readonly beside: boolean;
}

let test: TestGraph;
let followed: Followed[] = [];
let fails = false;

const follower = async (client: ClientBase, buildingId: string) => {
  const { rows } = await client.query<Followed>(
    `select r.kind, r.id as "from", r.successor_id as "to",
            old.id is not null and (new.id is not null or r.successor_id is null) as beside
     from pg_temp.replaced_node r
     left join graph.node old on old.id = r.id and old.building_id = $1
     left join graph.node new on new.id = r.successor_id and new.building_id = $1`,
    [buildingId],
  );
  followed.push(...rows);
  if (fails) throw new Error('the follower has failed');
  return { meters: 2 };
};

beforeAll(async () => {
  test = await freshGraph({
    followers: [{ observed: async () => [], replaced: follower, changed: async () => {} }],
  });
});
afterAll(() => test.close());
beforeEach(() => {
  followed = [];
  fails = false;
});

const all = { limit: 1_000, offset: 0 };
const importing = async (document: ImportDocument, buildingId?: string, replace = false) =>
  imported(await test.graph.importBuilding('acme', document, { ...noon, buildingId, replace }));
const spacesOf = async (buildingId: string) =>
  new Map(
    (await test.graph.spaces('acme', buildingId, all))!.items.map(({ code, id }) => [code, id]),
  );

it('notifies followers of replaced nodes, matched by triple, and of removed ones', async () => {
  const { buildingId } = await importing(
    buildingOf([
      storey('0', {
        spaces: [
          space('kept', identifiedBy('A')),
          space('gone', identifiedBy('B')),
          space('unnamed'),
        ],
      }),
    ]),
  );
  const before = await spacesOf(buildingId);
  const { gone } = await importing(
    buildingOf([storey('0', { spaces: [space('renamed', identifiedBy('A')), space('unnamed')] })]),
    buildingId,
    true,
  );
  const after = await spacesOf(buildingId);

  const spaces = followed.filter(({ kind }) => kind === 'space');
  expect(new Map(spaces.map(({ from, to }) => [from, to]))).toEqual(
    new Map([
      [before.get('kept'), after.get('renamed')],
      [before.get('gone'), null],
      // Without an external identifier it is unknown whether it is the same room.
      [before.get('unnamed'), null],
    ]),
  );
  expect(followed.every(({ beside }) => beside)).toBe(true);
  expect(gone).toEqual({ storeys: 1, spaces: 2, elements: 0, points: 0, values: 0, meters: 2 });
});

it('notifies no follower where no node is replaced', async () => {
  const { buildingId } = await importing(smallBuilding());
  const { gone } = await importing(smallBuilding(), buildingId);
  expect(followed).toEqual([]);
  expect(gone).toEqual({ storeys: 0, spaces: 0, elements: 0, points: 0 });
});

it('is rolled back when a follower fails', async () => {
  const { buildingId } = await importing(smallBuilding());
  const before = await spacesOf(buildingId);
  fails = true;
  await expect(importing(smallBuilding(), buildingId, true)).rejects.toThrow('has failed');
  expect(await spacesOf(buildingId)).toEqual(before);
});
