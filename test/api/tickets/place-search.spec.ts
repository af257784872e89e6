/** A search finds tickets by their place. contract.md section 5, views; section 6. */
import { describe, expect, it } from 'vitest';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import { testApi } from '../../support/api/api.ts';
import {
  buildingOf,
  element,
  identifiedBy,
  space,
  storey,
} from '../../support/domain/building-documents.ts';

const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
const agent = platform.as('agent@acme.test');
const manager = platform.as('manager@acme.test');
const foreign = platform.as('manager@globex.test');

const document = (kontor = 'Kontor 12', more: readonly string[] = ['1.205']): ImportDocument => ({
  ...buildingOf(
    [
      storey('E1', {
        name: 'Erdgeschoß',
        ...identifiedBy('S1'),
        spaces: [
          space('1.204', {
            name: kontor,
            ...identifiedBy('R204'),
            elements: [element('AHU-03', { name: 'Lüfter Süd', ...identifiedBy('A3') })],
          }),
          ...more.map((code) => space(code, { name: 'Teeküche', ...identifiedBy(`R${code}`) })),
        ],
      }),
      storey('R', { name: 'Roof', level: 9, ...identifiedBy('S9') }),
    ],
    { code: 'HQ', name: 'Hafenturm' },
  ),
});

interface Node {
  id: string;
  code: string;
}

const nodesOf = async (buildingId: string, list: 'storeys' | 'spaces' | 'elements') =>
  (await agent.get(`/api/v1/buildings/${buildingId}/${list}?limit=100`)).body.items as Node[];
const idOf = async (buildingId: string, list: 'storeys' | 'spaces' | 'elements', code: string) =>
  (await nodesOf(buildingId, list)).find((node) => node.code === code)!.id;

const importing = async (body: ImportDocument, by = manager) => {
  const answer = await by.post('/api/v1/buildings/import', body);
  expect(answer.status).toBe(201);
  return answer.body.buildingId as string;
};

const raised = async (body: object, by = agent): Promise<string> => {
  const answer = await by.post(REQUESTS, { description: 'leak', ...body });
  expect(answer.status).toBe(201);
  return answer.body.id;
};

const found = async (search: string, more = '', by = agent): Promise<string[]> => {
  const { status, body } = await by.get(`${REQUESTS}?search=${encodeURIComponent(search)}${more}`);
  expect(status).toBe(200);
  expect(body.total).toBe(body.items.length);
  return body.items.map(({ id }: { id: string }) => id);
};

const linesOf = (ndjson: string): { readonly id?: string }[] =>
  ndjson
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** A building of its own with a ticket at each of its places; searches are made within it. */
const desk = async () => {
  const buildingId = await importing(document());
  const elementId = await idOf(buildingId, 'elements', 'AHU-03');
  const spaceId = await idOf(buildingId, 'spaces', '1.204');
  const storeyId = await idOf(buildingId, 'storeys', 'R');
  const tickets = {
    element: await raised({ buildingId, elementId }),
    space: await raised({ buildingId, spaceId, description: 'noise' }),
    storey: await raised({ buildingId, storeyId }),
    building: await raised({ buildingId }),
  };
  const within = (search: string) => found(search, `&buildingId=${buildingId}`);
  return { buildingId, elementId, spaceId, storeyId, tickets, within };
};

describe('a search', () => {
  it('finds a ticket by code and name of element, space, storey and building', async () => {
    const { tickets, within } = await desk();
    const { element: inElement, space: inSpace, storey: onStorey, building } = tickets;
    const finds = async (search: string, ...ids: string[]) =>
      expect(new Set(await within(search)), search).toEqual(new Set(ids));
    await finds('AHU-03', inElement);
    await finds('lüfter', inElement);
    await finds('1.204', inElement, inSpace);
    await finds('kontor 12', inElement, inSpace);
    await finds('roof', onStorey);
    await finds('ERDGESCHOSS', inElement, inSpace);
    await finds('hafenturm', inElement, inSpace, onStorey, building);
    await finds('HQ', inElement, inSpace, onStorey, building);
    await finds('leak 1.204', inElement);
    await finds('noise 1.204 hafen', inSpace);
    await finds('roof 1.204');
    await finds('1.205');
  });

  it('is that of exports and bulks, too', async () => {
    const { buildingId, tickets } = await desk();
    const exported = await agent.get(`${REQUESTS}/export?search=roof&buildingId=${buildingId}`);
    expect(linesOf(exported.body)).toMatchObject([{ id: tickets.storey }]);
    const { body } = await agent.post(`${REQUESTS}/bulk`, {
      filter: { search: '1.204', buildingId },
      expected: 2,
      action: { patch: { priority: 'high' } },
    });
    expect(new Set(linesOf(body).map(({ id }) => id))).toEqual(
      new Set([tickets.element, tickets.space, undefined]),
    );
  });

  it('finds a renamed room by its new name immediately, and no longer by its old one', async () => {
    const { buildingId, tickets, within } = await desk();
    const path = `/api/v1/buildings/${buildingId}/import`;
    expect((await manager.post(path, document('Archiv'))).status).toBe(200);
    expect(new Set(await within('archiv'))).toEqual(new Set([tickets.element, tickets.space]));
    expect(await within('kontor')).toEqual([]);
  });

  it('follows a ticket that is moved', async () => {
    const { buildingId, tickets, within } = await desk();
    const spaceId = await idOf(buildingId, 'spaces', '1.205');
    await agent.patch(`${REQUESTS}/${tickets.building}`, { spaceId });
    expect(await within('teeküche')).toEqual([tickets.building]);
    await agent.patch(`${REQUESTS}/${tickets.building}`, { spaceId: null });
    expect(await within('teeküche')).toEqual([]);
  });

  it('follows open tickets to rooms of a new import, and forgets removed rooms', async () => {
    const { buildingId, spaceId, tickets, within } = await desk();
    const lost = await raised({
      buildingId,
      spaceId: await idOf(buildingId, 'spaces', '1.205'),
    });
    expect(await within('teeküche')).toEqual([lost]);
    const path = `/api/v1/buildings/${buildingId}/import?replace=true`;
    expect((await manager.post(path, document('Kontor 12', []))).status).toBe(200);
    expect(await within('teeküche')).toEqual([]);
    await expect
      .poll(async () => new Set(await within('kontor')))
      .toEqual(new Set([tickets.element, tickets.space]));
    expect(await idOf(buildingId, 'spaces', '1.204')).not.toBe(spaceId);
    await expect.poll(() => within('erdgeschoss')).toContain(lost);
  });
});

it('a search finds an ended ticket by the present names of its recreated place', async () => {
  const { buildingId, spaceId, tickets, within } = await desk();
  for (const id of [tickets.element, tickets.storey])
    await agent.post(`${REQUESTS}/${id}/transition`, { state: 'cancelled' });
  const path = `/api/v1/buildings/${buildingId}/import?replace=true`;
  for (const name of ['Archiv', 'Labor'])
    expect((await manager.post(path, document(name))).status).toBe(200);
  expect(await idOf(buildingId, 'spaces', '1.204')).not.toBe(spaceId);
  expect(await within('AHU-03')).toEqual([tickets.element]);
  await expect
    .poll(async () => new Set(await within('labor')))
    .toEqual(new Set([tickets.element, tickets.space]));
  expect(await within('kontor')).toEqual([]);
  expect(await within('roof')).toEqual([tickets.storey]);
  expect(await found('AHU-03', '', foreign)).toEqual([]);
});

describe('data that a caller may not see', () => {
  it('is not found by the name of its place', async () => {
    const ours = await desk();
    const theirs = await importing(document(), foreign);
    const ticket = await raised({ buildingId: theirs }, foreign);
    expect(await found('hafenturm', '', foreign)).toEqual([ticket]);
    expect(await found('hafenturm', `&buildingId=${ours.buildingId}`, foreign)).toEqual([]);
    expect(await found('hafenturm')).not.toContain(ticket);
    expect(await found('hafenturm', `&buildingId=${theirs}`)).toEqual([]);
    expect(await found('1.204', '', foreign)).toEqual([]);
  });

  it('is refused to callers without the permission, for any search', async () => {
    const developer = platform.as('developer@acme.test');
    const { status, body } = await developer.get(`${REQUESTS}?search=hafenturm`);
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'PERMISSION_DENIED' });
    expect((await platform.as(null).get(`${REQUESTS}?search=hafenturm`)).status).toBe(401);
  });
});
