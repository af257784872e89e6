/** Tickets found by their callers' `metadata`. contract.md section 5. */
import { beforeAll, describe, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';

const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
let buildingId: string;
const agent = platform.as('agent@acme.test');

beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

const raise = async (metadata: object): Promise<string> => {
  const { status, body } = await agent.post(REQUESTS, { buildingId, description: 'x', metadata });
  expect(status).toBe(201);
  return body.id;
};
const lookup = (query: Record<string, string>, caller = agent) =>
  caller.get(`${REQUESTS}/lookup?${new URLSearchParams(query).toString()}`);
const found = async (key: string, value: string): Promise<string[]> => {
  const { status, body } = await lookup({ key, value });
  expect(status).toBe(200);
  return body.items.map(({ id }: { id: string }) => id);
};

describe('a look-up', () => {
  it('finds the tickets that have the text under the key, newest first, immediately', async () => {
    const first = await raise({ externalId: 'WO-1', other: 'WO-2' });
    const second = await raise({ externalId: 'WO-1' });
    await raise({ externalId: 'WO-2' });
    expect(await found('externalId', 'WO-1')).toEqual([second, first]);
    const { body } = await lookup({ key: 'other', value: 'WO-2' });
    expect(body).toEqual({
      items: [(await agent.get(`${REQUESTS}/${first}`)).body],
      nextCursor: null,
    });
  });

  it('finds nothing by a part, another case, a number or a nested value', async () => {
    await raise({ a: 'Boiler', n: 7, deep: { a: 'inner' }, list: ['inner'], '': 'blank' });
    for (const [key, value] of [
      ['a', 'boiler'],
      ['a', 'Boil'],
      ['A', 'Boiler'],
      ['n', '7'],
      ['deep', 'inner'],
      ['list', 'inner'],
      ['__proto__', 'Boiler'],
    ] as const)
      expect(await found(key, value)).toEqual([]);
  });

  it('compares any text literally', async () => {
    const texts = ["o'neil", 'a,"b":1}', '😀漏', '100%_\\', ' ', '', 'x'.repeat(1_000)];
    const ids: string[] = [];
    for (const value of texts) ids.push(await raise({ ['k"\'😀']: value }));
    for (const [index, value] of texts.entries())
      expect(await found('k"\'😀', value)).toEqual([ids[index]]);
  });

  it('follows patches of the metadata', async () => {
    const id = await raise({ ref: 'before', kept: 'k' });
    const patched = (metadata: object) => agent.patch(`${REQUESTS}/${id}`, { metadata });
    await patched({ ref: 'after' });
    expect(await found('ref', 'before')).toEqual([]);
    expect(await found('ref', 'after')).toEqual([id]);
    expect(await found('kept', 'k')).toEqual([id]);
    await patched({ ref: null });
    expect(await found('ref', 'after')).toEqual([]);
    await patched({ ref: 'before' });
    expect(await found('ref', 'before')).toEqual([id]);
  });

  it('is of the caller’s own organisation', async () => {
    const id = await raise({ secret: 's' });
    expect(await found('secret', 's')).toEqual([id]);
    const other = await lookup({ key: 'secret', value: 's' }, platform.as('agent@globex.test'));
    expect(other.body.items).toEqual([]);
  });

  it('is paged without gaps while tickets are raised', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) ids.unshift(await raise({ source: 'cafm' }));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await lookup({
        key: 'source',
        value: 'cafm',
        limit: '3',
        ...(cursor === null ? {} : { cursor }),
      });
      expect(body.items.length).toBeLessThanOrEqual(3);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
      if (seen.length === 3) await raise({ source: 'cafm' });
    } while (cursor !== null);
    expect(seen).toEqual(ids);
  });

  it.each([
    [{ value: 'x' }, 'key'],
    [{ key: 'x' }, 'value'],
    [{ key: '', value: 'x' }, 'key'],
    [{ key: 'x', value: 'y', limit: '201' }, 'limit'],
    [{ key: 'x', value: 'y', limit: '0' }, 'limit'],
    [{ key: 'x', value: 'y', cursor: 'nonsense' }, 'cursor'],
    [{ key: 'x', value: 'y', cursor: Buffer.from('a b').toString('base64url') }, 'cursor'],
  ])('refuses %j', async (query, path) =>
    expect(await lookup(query as Record<string, string>)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ path }] },
    }),
  );

  it('requires the permission to read tickets', async () =>
    expect(
      (await lookup({ key: 'a', value: 'b' }, platform.as('developer@acme.test'))).status,
    ).toBe(403));
});
