import { Headers as UndiciHeaders } from 'undici';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../packages/sdk/src/index.ts';
import { bodySignature, signingKeys, standardSignature } from '../../src/outbound/signatures.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const message = {
  event: 'building.point.updated',
  data: { buildingId: 'b', value: 21.5, unit: '°C' },
  timestamp: '2026-03-02T12:00:00.000Z',
};
const body = Buffer.from(JSON.stringify(message));
const seconds = () => Math.floor(Date.now() / 1000);

const signed = (by = secret, at = seconds()) => ({
  'X-SVC-Signature': bodySignature(signingKeys(by), body),
  'X-SVC-Idempotency-Key': 'e1:building.point.updated:1772452800000',
  'X-SVC-Delivery-Attempt': '2',
  'webhook-id': 'e1',
  'webhook-timestamp': String(at),
  'webhook-signature': standardSignature(signingKeys(by), { id: 'e1', seconds: at, body }),
});

describe('verifyWebhook', () => {
  it('returns the posted event, with its idempotency key and attempt', async () => {
    const expected = {
      ...message,
      idempotencyKey: 'e1:building.point.updated:1772452800000',
      attempt: 2,
    };
    expect(await verifyWebhook(body, signed(), secret)).toEqual(expected);
    for (const headers of [new Headers(signed()), new UndiciHeaders(signed())])
      expect(await verifyWebhook(body.toString(), headers, secret)).toEqual(expected);
  });

  it('needs the signed id and time: without them a copy would never grow old', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { [name]: _, ...headers } = signed() as Record<string, string>;
      const verified = verifyWebhook(body, headers, secret);
      await expect(verified).rejects.toThrow(WebhookVerificationError);
      await expect(verified).rejects.toThrow(`${name} is missing`);
    }
  });

  it.each([
    'evil:1',
    'e1:other',
    'e1:building.point.updated:1772452800001',
    'e2:building.point.updated:1772452800000',
    '',
  ])('refuses the unsigned idempotency key %j', async (key) => {
    const headers = { ...signed(), 'X-SVC-Idempotency-Key': key };
    const verified = verifyWebhook(body, headers, secret);
    await expect(verified).rejects.toThrow(WebhookVerificationError);
    await expect(verified).rejects.toThrow('X-SVC-Idempotency-Key');
  });

  it.each([undefined, '', 'whsec_', 'whsec_*', 'another'])(
    'refuses to verify by %j, which is no secret',
    async (none) => {
      const verified = verifyWebhook(body, signed(), none as string);
      await expect(verified).rejects.toThrow(WebhookVerificationError);
      await expect(verified).rejects.toThrow('The secret is none');
    },
  );

  it('accepts the previous secret for a day after a rotation', async () => {
    const at = seconds();
    const both = {
      ...signed(other, at),
      'X-SVC-Signature-Previous': bodySignature(signingKeys(secret), body),
      'webhook-signature': [other, secret]
        .map((by) => standardSignature(signingKeys(by), { id: 'e1', seconds: at, body }))
        .join(' '),
    };
    await verifyWebhook(body, both, secret);
    await verifyWebhook(body, both, other);
  });

  it.each([', ', ','])(
    'accepts each secret of a list of previous ones, separated by %j',
    async (separator) => {
      const at = seconds();
      const third = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
      const all = {
        ...signed(other, at),
        'X-SVC-Signature-Previous': [third, secret]
          .map((by) => bodySignature(signingKeys(by), body))
          .join(separator),
        'webhook-signature': [other, third, secret]
          .map((by) => standardSignature(signingKeys(by), { id: 'e1', seconds: at, body }))
          .join(' '),
      };
      for (const one of [other, third, secret]) await verifyWebhook(body, all, one);
      const unknown = `whsec_${Buffer.alloc(32, 10).toString('base64')}`;
      await expect(verifyWebhook(body, all, unknown)).rejects.toThrow(WebhookVerificationError);
    },
  );

  it.each([
    ['another body', signed(), Buffer.from(`${body.toString()} `)],
    ['another secret', signed(other), body],
    ['no signature', {}, body],
    ['a signature that is none', { 'x-svc-signature': 'zz' }, body],
    [
      'half a signature',
      { 'x-svc-signature': bodySignature(signingKeys(secret), body).slice(0, 32) },
      body,
    ],
    ['a message of an hour ago', signed(secret, seconds() - 3_600), body],
    ['a message of the hour to come', signed(secret, seconds() + 3_600), body],
    ['a time that was not signed', { ...signed(), 'webhook-timestamp': `${seconds() - 1}` }, body],
    ['another standard signature', { ...signed(), 'webhook-signature': 'v1,AAAA' }, body],
  ])('refuses %s', async (_, headers: Record<string, string>, posted) =>
    expect(verifyWebhook(posted, headers, secret)).rejects.toThrow(WebhookVerificationError),
  );

  it('accepts no message with a tolerance that is no number', async () => {
    const verified = verifyWebhook(body, signed(), secret, { toleranceS: Number.NaN });
    await expect(verified).rejects.toThrow(WebhookVerificationError);
  });

  it('accepts an older message with a larger tolerance', async () => {
    const headers = signed(secret, seconds() - 3_600);
    await verifyWebhook(body, headers, secret, { toleranceS: 7_200 });
  });
});
