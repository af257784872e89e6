/** Lists, exports, bulks and views by the answers of forms. contract.md section 5. */
import { beforeAll, describe, expect, it } from 'vitest';
import { FIELD_FILTERS_MAX } from '../../../src/api/tickets/limits.ts';
import type { RequestType } from '../../../src/domain/service-desk/request-types.ts';
import { configured } from '../../support/domain/service-desk.ts';
import { testApi } from '../../support/api/api.ts';
import { csvRows } from '../../support/api/csv.ts';

const CONFIGURATION = '/api/service-desk/configuration';
const REQUESTS = '/api/service-desk/requests';
const VIEWS = '/api/service-desk/views';

const api = testApi();
const manager = api.as('manager@acme.test');
const agent = api.as('agent@acme.test');
const stranger = api.as('agent@globex.test');

const options = (...values: string[]) => values.map((value) => ({ value, label: value }));
const leak: RequestType = {
  requestType: 'leak',
  name: 'Leak',
  fields: [
    { key: 'source', label: 'Source', kind: 'choice', options: options('tap', 'pipe') },
    { key: 'parts', label: 'Parts', kind: 'choices', options: options('door', 'lock', 'hinge') },
    { key: 'wet', label: 'Wet', kind: 'flag' },
    { key: 'words', label: 'Words', kind: 'text' },
  ],
};

let buildingId: string;

const raise = async (subject: string, formData: object, requestType = 'leak', caller = agent) => {
  const draft = { buildingId, subject, description: 'x', requestType, formData };
  const { status, body } = await caller.post(REQUESTS, draft);
  expect(status, JSON.stringify(body)).toBe(201);
  return body as { id: string };
};
const found = async (query: string): Promise<string[]> => {
  const { status, body } = await agent.get(`${REQUESTS}?sort=createdAt&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.total).toBe(body.items.length);
  return body.items.map(({ subject }: { subject: string }) => subject);
};
const pathsRefused = async (query: string): Promise<string[]> => {
  const { status, body } = await agent.get(`${REQUESTS}?${query}`);
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  return body.errors.map(({ path }: { path: string }) => path);
};

beforeAll(async () => {
  buildingId = await api.importBuilding();
  expect((await manager.put(CONFIGURATION, configured({ requestTypes: [leak] }))).status).toBe(200);
  await raise('a', { source: 'tap', parts: ['door', 'lock'], wet: true, words: 'drip' });
  await raise('b', { source: 'pipe', parts: ['lock'], wet: false });
  await raise('c', { source: 'tap', wet: false });
  await raise('d', { source: 'tap', colour: 'red' }, 'other');
});

describe('a list', () => {
  it('holds the tickets with one of the answers to each field', async () => {
    expect(await found('field.source=tap')).toEqual(['a', 'c', 'd']);
    expect(await found('field.source=tap,pipe')).toEqual(['a', 'b', 'c', 'd']);
    expect(await found('field.parts=lock')).toEqual(['a', 'b']);
    expect(await found('field.parts=hinge, door')).toEqual(['a']);
    expect(await found('field.wet=false')).toEqual(['b', 'c']);
    expect(await found('field.wet=false&field.source=tap')).toEqual(['c']);
    expect(await found('field.wet=maybe')).toEqual([]);
  });

  it('combines them with every other filter, and with a search', async () => {
    expect(await found(`field.source=tap&buildingId=${buildingId}&state=new`)).toHaveLength(3);
    expect(await found('field.source=tap&state=closed')).toEqual([]);
    expect(await found('field.source=tap&search=SR-2')).toEqual([]);
    expect(await found('field.parts=lock&search=SR-2')).toEqual(['b']);
  });

  it('shows a PATCH of the answers immediately', async () => {
    const { id } = await raise('e', { source: 'pipe', wet: true });
    expect(await found('field.wet=true')).toEqual(['a', 'e']);
    await agent.patch(`${REQUESTS}/${id}`, { formData: { wet: null, parts: ['hinge'] } });
    expect(await found('field.wet=true')).toEqual(['a']);
    expect(await found('field.parts=hinge')).toEqual(['e']);
    expect(await found('field.source=pipe&field.wet=true')).toEqual([]);
    await agent.patch(`${REQUESTS}/${id}`, { formData: { wet: true, parts: null } });
    expect(await found('field.wet=true')).toEqual(['a', 'e']);
    expect(await found('field.parts=hinge')).toEqual([]);
  });

  it('is of one organisation', async () => {
    const list = await stranger.get(`${REQUESTS}?field.source=tap`);
    expect(list.body).toMatchObject({ items: [], total: 0 });
  });

  it('still finds answers to a field that no form has', async () => {
    expect(await found('field.colour=red')).toEqual(['d']);
    expect(await found('field.nothing=red')).toEqual([]);
  });

  it('refuses fields without options, too many fields and invalid keys, by path', async () => {
    expect(await pathsRefused('field.words=drip')).toEqual(['field.words']);
    const many = Array.from({ length: FIELD_FILTERS_MAX + 1 }, (_, at) => `field.f${at}=1`);
    expect(await pathsRefused(many.join('&'))).toEqual([`field.f${FIELD_FILTERS_MAX}`]);
    expect(await found(many.slice(1).join('&'))).toEqual([]);
    expect(await pathsRefused('field.=1')).toEqual(['field.']);
    expect(await pathsRefused('field.__proto__=1')).toEqual(['field.__proto__']);
    expect(await pathsRefused('fields=1')).toEqual(['fields']);
    expect(await pathsRefused(`field.source=${'x'.repeat(101)}`)).toEqual(['field.source[0]']);
    expect(await pathsRefused('field.source=')).toEqual(['field.source[0]']);
    expect(await pathsRefused('field.source=tap&field.source=pipe')).toEqual(['field.source']);
  });
});

describe('beside the list', () => {
  it('exports hold the same tickets, and CSV has a column for each field', async () => {
    const ndjson = await agent.get(`${REQUESTS}/export?field.parts=lock`);
    expect(ndjson.body.trim().split('\n')).toHaveLength(2);
    const csv = await agent.get(`${REQUESTS}/export?field.parts=lock`, { accept: 'text/csv' });
    const [head, first, second] = csvRows(csv.body);
    const cells = (row: readonly string[] | undefined) =>
      ['source', 'parts', 'wet', 'words'].map((key) => row?.[head!.indexOf(`field.${key}`)]);
    expect(cells(first)).toEqual(['tap', 'door,lock', 'true', 'drip']);
    expect(cells(second)).toEqual(['pipe', 'lock', 'false', '']);
    const refused = await agent.get(`${REQUESTS}/export?field.words=drip`);
    expect(refused.status).toBe(400);
  });

  it('bulks act on the same tickets', async () => {
    const act = (filter: object, expected: number) =>
      agent.post(`${REQUESTS}/bulk`, {
        filter,
        expected,
        action: { patch: { category: 'locks' } },
      });
    expect((await act({ 'field.parts': 'lock' }, 3)).status).toBe(409);
    expect((await act({ 'field.parts': 'lock' }, 2)).body).toContain('"done":2');
    expect(await found('category=locks')).toEqual(['a', 'b']);
    expect((await act({ 'field.words': 'drip' }, 1)).status).toBe(400);
  });

  it('views keep them among their filters and columns', async () => {
    const filters = { 'field.source': 'tap,pipe', state: 'new' };
    const view = { name: 'Leaks', filters, columns: ['number', 'field.source', 'field.gone'] };
    const { status, body } = await agent.post(VIEWS, view);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({ filters, columns: view.columns });
    const refused = await agent.post(VIEWS, { ...view, filters: { 'field.': 'x', state: 'no' } });
    expect(refused.status).toBe(400);
    const columns = await agent.post(VIEWS, { ...view, columns: ['field.'] });
    expect(columns.status).toBe(400);
  });

  it('views refuse a field that no list is filtered by, as the list does', async () => {
    const view = { name: 'Drips', filters: { 'field.source': 'tap' } };
    const key = { 'idempotency-key': 'drips' };
    const saved = await agent.post(VIEWS, view, key);
    const path = `${VIEWS}/${saved.body.viewId}`;
    const filters = { 'field.words': 'drip', 'field.nothing': 'x' };
    for (const refused of [
      await agent.post(VIEWS, { ...view, filters }),
      await agent.patch(path, { filters }),
    ]) {
      expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      expect(refused.body.errors).toMatchObject([{ path: 'filters.field.words' }]);
    }
    expect((await agent.get(path)).body).toEqual(saved.body);
    // A repeat is answered as the first was, whatever has become of the field.
    const { body: desk } = await manager.get(CONFIGURATION);
    const source = { key: 'source', label: 'Source', kind: 'text' } as const;
    await manager.put(CONFIGURATION, configured({ requestTypes: [{ ...leak, fields: [source] }] }));
    expect((await agent.post(VIEWS, view, key)).body).toEqual(saved.body);
    expect((await agent.patch(path, { name: 'Leaks' })).status).toBe(200);
    await manager.put(CONFIGURATION, desk);
  });
});
