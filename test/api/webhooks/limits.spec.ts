import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemAuthority } from '../../../src/domain/authority.ts';
import { untrustedHttp } from '../../../src/outbound/untrusted-http.ts';
import { subscriptionRepository } from '../../../src/use-cases/webhooks/subscriptions.ts';
import { testApi } from '../../support/api/api.ts';
import { noon } from '../../support/domain/specify.ts';
import { until } from '../../support/until.ts';

const api = testApi(
  () => ({
    untrustedHttp: untrustedHttp({ allowPrivate: false, resolve: async () => ['1.1.1.1'] }),
  }),
  { per: 'test' },
);
const manager = api.as('manager@acme.test');
const WEBHOOKS = '/api/v1/webhooks';
const events = ['building.point.updated'];
const create = (host: string, path = '/') =>
  manager.post(WEBHOOKS, { url: `https://${host}.example.org${path}`, events });
const created = async (host: string): Promise<string> => {
  const { status, body } = await create(host);
  expect(status).toBe(201);
  return `${WEBHOOKS}/${body.webhookId}`;
};
/** Ten for each of five hosts. */
const fifty = () =>
  Promise.all(Array.from({ length: 50 }, (_, index) => created(`host-${index % 5}`)));
const limitOf = ({ status, body }: Awaited<ReturnType<typeof create>>) => [
  status,
  body.code,
  body.limit,
];
const REFUSED_50 = [409, 'WEBHOOK_LIMIT_REACHED', 50];
const REFUSED_10 = [409, 'WEBHOOK_LIMIT_REACHED', 10];

describe('webhooks of an organisation', () => {
  it('are at most 50, under concurrent creates', async () => {
    const answers = await Promise.all(
      Array.from({ length: 70 }, (_, index) => create(`host-${index}`)),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(limitOf)).toEqual(Array.from({ length: 20 }, () => REFUSED_50));
    expect((await manager.get(WEBHOOKS)).body.total).toBe(50);
    const others = { url: 'https://host-1.example.org/', events };
    expect((await api.as('manager@globex.test').post(WEBHOOKS, others)).status).toBe(201);
  });

  it('stay at 50 when two processes create them at once', async () => {
    const beside = await api.beside({
      untrustedHttp: untrustedHttp({ allowPrivate: false, resolve: async () => ['1.1.1.1'] }),
    });
    const other = beside.as('manager@acme.test');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? manager : other).post(WEBHOOKS, {
          url: `https://host-${index}.example.org/`,
          events,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
  });

  it('are at most 10 for one host, over all ports, paths and a final dot', async () => {
    const urls = Array.from({ length: 18 }, (_, index) =>
      [
        'https://hook.example.org/',
        'https://HOOK.example.org:8443/a',
        'https://hook.example.org./',
      ][index % 3]!.replace(/$/, `?${index}`),
    );
    const answers = await Promise.all(urls.map((url) => manager.post(WEBHOOKS, { url, events })));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(limitOf)).toEqual(Array.from({ length: 8 }, () => REFUSED_10));
    expect((await create('other')).status).toBe(201);
  });

  it('do not count once they are deleted', async () => {
    const [first, second] = await fifty();
    expect(limitOf(await create('host-5'))).toEqual(REFUSED_50);
    await manager.delete(first!);
    expect((await create('host-5')).status).toBe(201);
    expect(limitOf(await create('host-5'))).toEqual(REFUSED_50);
    await manager.delete(second!);
    expect((await create('host-1')).status).toBe(201);
  });

  it('count for the host of a changed URL, and no longer for the one before', async () => {
    await Promise.all(Array.from({ length: 10 }, () => created('full')));
    const others = await Promise.all(Array.from({ length: 3 }, () => created('other')));
    const toFull = { url: 'https://full.example.org/moved' };
    const answers = await Promise.all(others.map((at) => manager.patch(at, toFull)));
    expect(answers.map(limitOf)).toEqual(others.map(() => REFUSED_10));
    const { items } = (await manager.get(WEBHOOKS)).body;
    const moved = items.find(({ url }: { url: string }) => url.includes('full'));
    const at = `${WEBHOOKS}/${moved.webhookId}`;
    expect((await manager.patch(at, { url: 'https://else.example.org/' })).status).toBe(200);
    expect((await manager.patch(others[0]!, toFull)).status).toBe(200);
    expect(limitOf(await create('full'))).toEqual(REFUSED_10);
  });

  it('use one slot per Idempotency-Key', async () => {
    const body = { url: 'https://once.example.org/', events };
    for (let count = 0; count < 12; count += 1)
      await manager.post(WEBHOOKS, body, { 'idempotency-key': 'once' });
    for (let count = 0; count < 9; count += 1) await created('once');
    expect(limitOf(await create('once'))).toEqual(REFUSED_10);
  });

  it('above the limit from before it go on, and no others are added', async () => {
    const subscriptions = subscriptionRepository(api.log);
    const { organisation } = await organisationOf(await created('mine'));
    const ids = Array.from({ length: 60 }, () => randomUUID());
    for (const [index, webhookId] of ids.entries()) {
      const command = {
        type: 'RegisterSubscription',
        authority: systemAuthority,
        webhookId,
        organisation,
        url: `https://old.example.org/${index}`,
        events,
        buildingId: null,
        description: null,
        sealedSecret: 'sealed',
      } as const;
      const given = { commandId: randomUUID(), command, organisation };
      await subscriptions.give(webhookId, given, noon);
    }
    await until(
      async () => (await manager.get(WEBHOOKS)).body.total === 61,
      'the list shows all of them',
    );
    const at = `${WEBHOOKS}/${ids[0]}`;
    expect((await manager.patch(at, { description: 'kept' })).status).toBe(200);
    expect((await manager.patch(at, { url: 'https://new.example.org/' })).status).toBe(200);
    expect(limitOf(await create('mine'))).toEqual(REFUSED_50);
    for (const id of ids.slice(1, 13)) await manager.delete(`${WEBHOOKS}/${id}`);
    expect((await create('mine')).status).toBe(201);
    expect(limitOf(await create('mine'))).toEqual(REFUSED_50);
  });
});

const organisationOf = async (at: string) => {
  const [stored] = await api.log.readStream(`subscription-${at.split('/').at(-1)}`);
  return stored!.data as { organisation: string };
};
