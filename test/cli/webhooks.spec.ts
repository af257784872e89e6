/** `atrium webhooks …`, with a receiver that answers. */
import { afterEach, describe, expect, it } from 'vitest';
import { untrustedHttp } from '../../src/outbound/untrusted-http.ts';
import { testApi } from '../support/api/api.ts';
import { commandLine, followed } from '../support/cli/command-line.ts';
import { inbox, isSigned } from '../support/webhooks/inbox.ts';
import { unsubscribeAll } from '../support/webhooks/unsubscribe.ts';

const platform = testApi(() => ({ untrustedHttp: untrustedHttp({ allowPrivate: true }) }));
const { as } = commandLine(platform);
const webhooks = (...words: readonly string[]) => as('manager@acme.test', 'webhooks', ...words);
afterEach(() => unsubscribeAll(platform.as('manager@acme.test')));

const UPDATED = 'building.point.updated';
const created = async (url: string) => (await webhooks('create', url, '--events', UPDATED)).json();
/** Once the list shows it, it can be named by its URL. */
const shown = (url: string) =>
  followed(
    () => webhooks('list'),
    ({ items }) => items.some((item: { url: string }) => item.url === url),
  );

describe('atrium webhooks', () => {
  it('subscribes, tries, shows the delivery and sends it again', async () => {
    const receiver = await inbox();
    const made = await webhooks('create', receiver.url, '--events', UPDATED, '--description', 'x');
    const { webhookId, secret } = made.json();
    expect(made.err).toContain('shown only once');
    await shown(receiver.url);
    expect((await webhooks('get', receiver.url)).json()).toMatchObject({
      webhookId,
      events: [UPDATED],
      secret: secret.slice(0, 8),
    });

    const tried = await webhooks('test', receiver.url, '--wait');
    expect(tried.json()).toMatchObject({ event: 'webhook.test', status: 'succeeded' });
    const [received] = receiver.received;
    expect(isSigned(received!, secret, 'x-svc-signature')).toBe(true);
    const { deliveryId } = tried.json();
    const { items } = (await webhooks('deliveries', webhookId)).json();
    expect(items).toMatchObject([{ deliveryId, httpCode: 200 }]);

    const again = await webhooks('redeliver', webhookId, deliveryId, '--wait');
    expect(again.json()).toMatchObject({ status: 'succeeded' });
    expect(receiver.received.map(({ key }) => key)).toEqual([received!.key, received!.key]);
    expect((await webhooks('deliveries', webhookId, '--dead')).json()).toEqual({ items: [] });
  });

  it('ends with 1 where the test fails, and queues it where it does not wait', async () => {
    const receiver = await inbox();
    receiver.answer = (response) => void response.writeHead(500).end();
    const { webhookId } = await created(receiver.url);
    const failed = await webhooks('test', webhookId, '--wait');
    expect(failed).toMatchObject({ code: 1, err: 'atrium: the delivery failed: 500\n' });
    expect(failed.json()).toMatchObject({ status: 'failed', httpCode: 500 });
    const queued = await webhooks('test', webhookId);
    expect([queued.code, Object.keys(queued.json())]).toEqual([0, ['deliveryId']]);
  });

  it('rotates the secret, resets failures and recovers skipped events', async () => {
    const receiver = await inbox();
    const { webhookId, secret } = await created(receiver.url);
    const rotated = (await webhooks('rotate-secret', webhookId)).json();
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    expect((await webhooks('reset-failures', webhookId)).json()).toMatchObject({
      status: 'active',
    });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect((await webhooks('recover', webhookId, '--since', since)).json()).toMatchObject({
      since,
    });
    const when = await webhooks('recover', webhookId, '--since', 'yesterday');
    expect(when).toMatchObject({ code: 2, err: expect.stringContaining('2026-03-02T12:00:00Z') });
  });

  it('makes one webhook under a key, and shows its secret once', async () => {
    const receiver = await inbox();
    const words = ['create', receiver.url, '--events', UPDATED, '--idempotency-key', 'w-1'];
    const first = (await webhooks(...words)).json();
    const again = await webhooks(...words);
    expect(again.json().webhookId).toBe(first.webhookId);
    expect(again.json()).not.toHaveProperty('secret');
    expect(again.err).toContain(`atrium webhooks rotate-secret ${first.webhookId}`);
  });

  it('is deleted after a confirmation, and is not found then', async () => {
    const receiver = await inbox();
    const { webhookId } = await created(receiver.url);
    const unsure = await webhooks('delete', webhookId);
    expect(unsure).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect((await webhooks('delete', webhookId, '--yes')).json()).toEqual({
      webhookId,
      deleted: true,
    });
    const gone = await webhooks('get', webhookId);
    expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('(NOT_FOUND)') });
    const unknown = await webhooks('get', 'https://nowhere.example/');
    expect(unknown.err).toContain('there is no webhook https://nowhere.example/');
  });

  it('is not guessed where several have the URL: they are listed', async () => {
    const receiver = await inbox();
    const ids = [await created(receiver.url), await created(receiver.url)];
    await followed(
      () => webhooks('list', '--all'),
      ({ items }) => items.length === 2,
    );
    const refused = await webhooks('delete', receiver.url, '--yes');
    expect(refused).toMatchObject({ code: 1, out: '' });
    for (const { webhookId } of ids) expect(refused.err).toContain(webhookId);
  });

  it('is refused without the permission, and with an event that is none', async () => {
    const words = ['create', 'http://localhost:9/', '--events'];
    const denied = await as('developer@acme.test', 'webhooks', ...words, UPDATED);
    expect(denied).toMatchObject({ code: 1, err: expect.stringContaining('(PERMISSION_DENIED)') });
    const event = await webhooks(...words, 'ticket.created');
    expect(event.err).toContain('(EVENT_NOT_SUBSCRIBABLE)');
  });
});
