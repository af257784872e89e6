import { beforeAll, describe, expect, it } from 'vitest';
import { TEXT_CHARACTERS_MAX } from '../../../src/limits.ts';
import { TIMELINE_PAGE_BYTES_MAX } from '../../../src/projections/tickets/limits.ts';
import { testApi } from '../../support/api/api.ts';

const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
const agent = platform.as('agent@acme.test');
const viewer = platform.as('viewer@acme.test');
let buildingId: string;

beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

interface Item {
  readonly kind: string;
  readonly body?: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

const raised = async (): Promise<string> =>
  (await agent.post(REQUESTS, { buildingId, description: 'x' })).body.id;

const note = async (id: string, body: string, visibility = 'public') => {
  const answer = await agent.post(`${REQUESTS}/${id}/updates`, { body, visibility });
  expect(answer.status).toBe(201);
};

/** All pages, read one after the other. */
const pagesOf = async (id: string, limit: number, reader = agent): Promise<Item[][]> => {
  const pages: Item[][] = [];
  for (let after = ''; ;) {
    const query = `limit=${limit}${after === '' ? '' : `&after=${after}`}`;
    const { status, body } = await reader.get(`${REQUESTS}/${id}/updates?${query}`);
    expect(status).toBe(200);
    pages.push(body.items);
    if (body.nextCursor === null) return pages;
    after = body.nextCursor;
  }
};
const bodiesOf = (items: readonly Item[]) => items.map(({ body }) => body);

describe('GET {id}/updates', () => {
  it('continues where the previous page ended, and marks the last page', async () => {
    const id = await raised();
    const said = Array.from({ length: 7 }, (_, index) => `note ${index}`);
    for (const body of said) await note(id, body);
    const pages = await pagesOf(id, 3);
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(bodiesOf(pages.flat())).toEqual(said);
    expect((await pagesOf(id, 7)).map((page) => page.length)).toEqual([7]);
    expect((await pagesOf(id, 500)).map((page) => page.length)).toEqual([7]);
  });

  it('returns the changes of a page from any position, regardless of earlier reads', async () => {
    const id = await raised();
    for (const subject of ['a', 'b', 'c']) await agent.patch(`${REQUESTS}/${id}`, { subject });
    const expected = [
      { from: { subject: null }, to: { subject: 'a' } },
      { from: { subject: 'a' }, to: { subject: 'b' } },
      { from: { subject: 'b' }, to: { subject: 'c' } },
    ];
    expect((await pagesOf(id, 1)).flat()).toMatchObject(expected);
    const first = await agent.get(`${REQUESTS}/${id}/updates?limit=1`);
    const rest = `${REQUESTS}/${id}/updates?after=${first.body.nextCursor}`;
    const other = await platform.beside();
    for (const reader of [agent, other.as('agent@acme.test')]) {
      expect((await reader.get(rest)).body.items).toMatchObject(expected.slice(1));
    }
  });

  it('has full pages of the items visible to its reader', async () => {
    const id = await raised();
    for (const body of ['a', 'b', 'c']) {
      await note(id, `hidden ${body}`, 'internal');
      await note(id, body);
    }
    expect((await pagesOf(id, 2, viewer)).map(bodiesOf)).toEqual([['a', 'b'], ['c']]);
  });

  it('ends a page where its texts are long', async () => {
    const id = await raised();
    const long = 'x'.repeat(TEXT_CHARACTERS_MAX);
    const count = Math.ceil(TIMELINE_PAGE_BYTES_MAX / TEXT_CHARACTERS_MAX) + 5;
    for (let each = 0; each < count; each += 1) await note(id, long);
    const pages = await pagesOf(id, 500);
    expect(pages).toHaveLength(2);
    expect(pages.flat()).toHaveLength(count);
    for (const page of pages) {
      expect(JSON.stringify(page).length).toBeLessThan(TIMELINE_PAGE_BYTES_MAX + 2 * long.length);
    }
  });

  it.each(['limit=0', 'limit=501', 'after=x', 'after=', 'page=2'])('refuses ?%s', async (query) => {
    const { status, body } = await agent.get(`${REQUESTS}/${await raised()}/updates?${query}`);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});
