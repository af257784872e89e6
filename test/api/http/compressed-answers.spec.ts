/** Which answers of the API are compressed. contract.md section 1. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { untrustedHttp } from '../../../src/outbound/untrusted-http.ts';
import { testApi } from '../../support/api/api.ts';
import type { TestAnswer } from '../../support/api/caller.ts';

const REQUESTS = '/api/service-desk/requests';
const GZIP = { 'accept-encoding': 'gzip' };
const PLAIN = { 'accept-encoding': 'identity' };

const platform = testApi(() => ({
  untrustedHttp: untrustedHttp({ allowPrivate: false, resolve: async () => ['1.1.1.1'] }),
}));
const agent = platform.as('agent@acme.test');
const manager = platform.as('manager@acme.test');
let ticket: string;

beforeAll(async () => {
  const buildingId = await platform.importBuilding();
  const { body } = await agent.post(REQUESTS, { buildingId, description: 'x'.repeat(2_000) });
  ticket = `${REQUESTS}/${body.id}`;
});

describe('a ticket', () => {
  it('is the same, of the same revision, with and without compression', async () => {
    const [packed, plain] = [await agent.get(ticket, GZIP), await agent.get(ticket, PLAIN)];
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.body).toEqual(plain.body);
    expect(packed.headers['etag']).toBe(plain.headers['etag']);
    const has = { 'if-none-match': packed.headers['etag']! };
    for (const accepted of [GZIP, PLAIN]) {
      const again = await agent.get(ticket, { ...accepted, ...has });
      expect(again).toMatchObject({ status: 304, body: '' });
      expect(again.headers['vary']).toMatch(/accept-encoding/);
    }
  });

  it('can be changed by a client that read it compressed', async () => {
    const { headers } = await agent.get(ticket, GZIP);
    const ifMatch = { 'if-match': headers['etag']! };
    expect((await agent.patch(ticket, { subject: 'Sink' }, { ...ifMatch, ...GZIP })).status).toBe(
      200,
    );
  });
});

it('a long problem is compressed, too', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`unknown${n}`, n]));
  const { status, headers, body } = await agent.post(REQUESTS, unknown, GZIP);
  expect(status).toBe(400);
  expect(headers['content-encoding']).toBe('gzip');
  expect(body.errors.length).toBeGreaterThan(1);
});

it('the audit as a file is compressed', async () => {
  const csv = { ...GZIP, accept: 'text/csv' };
  const { headers, body } = await manager.get('/api/v1/keys/audit', csv);
  expect(headers['content-encoding']).toBe('gzip');
  expect(body).toMatch(/^\W*id/);
});

describe('an answer with a secret', () => {
  const hook = (path: string) => ({
    url: `https://hook.example.org/${path}`,
    events: ['building.point.updated'],
    description: 'x'.repeat(500),
  });
  const isSent: Readonly<Record<string, () => Promise<TestAnswer>>> = {
    mintKey: () => manager.post('/api/v1/keys', { label: 'x'.repeat(100) }, GZIP),
    registerWebhook: () => manager.post('/api/v1/webhooks', hook('x'.repeat(1_000)), GZIP),
    async rotateWebhookSecret() {
      const { body } = await manager.post('/api/v1/webhooks', hook('y'.repeat(1_000)));
      return manager.post(`/api/v1/webhooks/${body.webhookId}/rotate-secret`, undefined, GZIP);
    },
  };

  it('is one of these', () => {
    expect(operationsReturning(/^(token|secret)$/).toSorted()).toEqual(
      Object.keys(isSent).toSorted(),
    );
  });

  it.each(Object.keys(isSent))('is never compressed: %s', async (operation) => {
    const answer = await isSent[operation]!();
    expect([200, 201]).toContain(answer.status);
    expect(answer.headers['content-encoding']).toBeUndefined();
  });
});

interface Schema {
  readonly $ref?: string;
  readonly properties?: object;
  readonly required?: readonly string[];
}

/** The commands whose first answer has a member of such a name, which repeats omit. */
function operationsReturning(name: RegExp): readonly string[] {
  const { paths, components } = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const hasMember = (schema: unknown): boolean => {
    if (typeof schema !== 'object' || schema === null) return false;
    const { $ref, properties = {}, required = [], ...others } = schema as Schema;
    if ($ref) return hasMember(components.schemas[$ref.split('/').at(-1)!]);
    const once = Object.keys(properties).filter((member) => !required.includes(member));
    return once.some((member) => name.test(member)) || Object.values(others).some(hasMember);
  };
  const posts = Object.values<Record<string, { operationId: string; responses: object }>>(paths)
    .map(({ post }) => post)
    .filter((post) => post !== undefined);
  return posts
    .filter(({ responses }) =>
      Object.entries(responses).some(
        ([status, answer]) => status.startsWith('2') && hasMember(answer),
      ),
    )
    .map(({ operationId }) => operationId);
}
