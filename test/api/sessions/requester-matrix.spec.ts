/** Requesters at every operation of the API. contract.md sections 2 and 5. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import document from '../../../openapi.json' with { type: 'json' };
import { virtualClock } from '../../../src/engine/time/clock.ts';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { testApi } from '../../support/api/api.ts';
import type { Caller } from '../../support/api/caller.ts';
import { formHeaders, formOf } from '../../support/api/form.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { configured } from '../../support/domain/service-desk.ts';

const REQUESTS = '/api/service-desk/requests';
const CONFIGURATION = '/api/service-desk/configuration';

const root = temporaryDirectory('requester-matrix');
afterAll(() => rmSync(root, { recursive: true, force: true }));
const clock = virtualClock();
const api = testApi(() => ({ files: directoryStores(root).of('main'), clock, timeTravel: true }));

/** Callers: the ticket's requester, a colleague, and a requester of another organisation. */
const callers = {
  own: api.as('requester@acme.test'),
  other: api.as('requester2@acme.test'),
  stranger: api.as('requester@globex.test'),
} as const;
type Who = keyof typeof callers;

/** All that is open to requesters; every other operation is a 403. */
const open: Readonly<Record<string, Readonly<Record<Who, number>>>> = {
  whoAmI: { own: 200, other: 200, stranger: 200 },
  // A bearer token is no cookie.
  readSession: { own: 401, other: 401, stranger: 401 },
  listSessions: { own: 401, other: 401, stranger: 401 },
  endSession: { own: 401, other: 401, stranger: 401 },
  listTickets: { own: 200, other: 200, stranger: 200 },
  createTicket: { own: 201, other: 201, stranger: 400 },
  getTicket: { own: 200, other: 404, stranger: 404 },
  listTransitions: { own: 200, other: 404, stranger: 404 },
  readTimeline: { own: 200, other: 404, stranger: 404 },
  addNote: { own: 201, other: 404, stranger: 404 },
  listAttachments: { own: 200, other: 404, stranger: 404 },
  addAttachment: { own: 201, other: 404, stranger: 404 },
  downloadAttachment: { own: 200, other: 404, stranger: 404 },
  // It is a text.
  previewAttachment: { own: 404, other: 404, stranger: 404 },
  removeAttachment: { own: 204, other: 404, stranger: 404 },
  transitionTicket: { own: 200, other: 404, stranger: 404 },
  rateTicket: { own: 409, other: 404, stranger: 404 },
  listRequestTypes: { own: 200, other: 200, stranger: 200 },
  listBuildings: { own: 200, other: 200, stranger: 200 },
  getBuilding: { own: 200, other: 200, stranger: 404 },
  listStoreys: { own: 200, other: 200, stranger: 404 },
  listSpaces: { own: 200, other: 200, stranger: 404 },
  getSpace: { own: 200, other: 200, stranger: 404 },
  getElement: { own: 200, other: 200, stranger: 404 },
  getPlan: { own: 200, other: 200, stranger: 404 },
  getPlanPicture: { own: 200, other: 200, stranger: 404 },
};

interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
}
const operations = Object.entries(
  document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, security }]) => ({
    operationId,
    method: method.toUpperCase(),
    path,
    isPublic: security.length === 0,
  })),
);
/** Operations that remove or end something run last. */
const rank = ({ operationId, method }: (typeof operations)[number]) =>
  ({ removeAttachment: 1, transitionTicket: 2, rateTicket: 3 })[operationId] ??
  (method === 'DELETE' ? 1 : 0);
const asked = operations
  .filter(({ isPublic }) => !isPublic)
  .toSorted((one, another) => rank(one) - rank(another));

const ids: Record<string, string> = {};
const bodies: Record<string, unknown> = {};

const file = formOf(
  { name: 'file', fileName: 'leak.txt', content: 'A leak' },
  { name: 'visibility', content: 'public' },
);

const enable = async (requesterAccess: 'off' | 'signed-in' | 'anyone') => {
  for (const manager of [api.as('manager@acme.test'), api.as('manager@globex.test')]) {
    const put = await manager.put(CONFIGURATION, configured({ requesterAccess }));
    expect(put.status).toBe(200);
  }
};

beforeAll(async () => {
  const buildingId = await api.importBuilding();
  await enable('signed-in');
  const agent = api.as('agent@acme.test');
  const first = async (kind: string) =>
    (await agent.get(`/api/v1/buildings/${buildingId}/${kind}?limit=1`)).body.items[0].id;
  const { id } = (await callers.own.post(REQUESTS, { buildingId, description: 'A leak' })).body;
  const path = `${REQUESTS}/${id}/attachments`;
  const { attachmentId } = (await callers.own.post(path, file, formHeaders)).body;
  Object.assign(ids, {
    buildingId,
    id,
    attachmentId,
    storeyId: await first('storeys'),
    spaceId: await first('spaces'),
    elementId: await first('elements'),
    pointId: await first('points'),
  });
  Object.assign(bodies, {
    createTicket: { buildingId, description: 'Another leak' },
    addNote: { body: 'Still wet' },
    addAttachment: file,
    transitionTicket: { state: 'cancelled' },
    rateTicket: { score: 5 },
  });
});

const addressOf = (path: string) =>
  path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => ids[name] ?? '00000000-0000-4000-8000-000000000000',
  );

const call = async (by: Caller, { operationId, method, path }: (typeof operations)[number]) => {
  const [url, body] = [addressOf(path), bodies[operationId]];
  const headers = operationId === 'addAttachment' ? formHeaders : {};
  switch (method) {
    case 'GET':
      return by.get(url);
    case 'DELETE':
      return by.delete(url);
    case 'PUT':
      return by.put(url, {});
    case 'PATCH':
      return by.patch(url, {});
    default:
      return by.post(url, body, headers);
  }
};

it('names existing operations', () => {
  const known = new Set(asked.map(({ operationId }) => operationId));
  expect(Object.keys(open).filter((operationId) => !known.has(operationId))).toEqual([]);
});

describe.each(['stranger', 'other', 'own'] as const)('a requester (%s)', (who) => {
  it.each(asked.map((one) => [one.operationId, one] as const))('%s', async (_, operation) => {
    const { status, body } = await call(callers[who], operation);
    const expected = open[operation.operationId]?.[who];
    const answered = expected === undefined ? [status, body.code] : [status];
    expect(answered, JSON.stringify(body)).toEqual(
      expected === undefined ? [403, 'PERMISSION_DENIED'] : [expected],
    );
  });
});

describe('where requesters are off', () => {
  beforeAll(() => enable('off'));

  it.each(
    asked
      .filter(({ operationId }) => open[operationId] && operationId !== 'whoAmI')
      .filter(({ operationId }) => open[operationId]!.own !== 401)
      .map((one) => [one.operationId, one] as const),
  )('%s', async (_, operation) => {
    const { status, body } = await call(callers.own, operation);
    expect([status, body.code]).toEqual([403, 'REQUESTERS_OFF']);
  });
});
