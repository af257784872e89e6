/** How an attempt is signed once keys of `ATRIUM_SECRETS_KEY` are lost. */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { webhookBody } from '../../../src/domain/webhooks/delivery/message.ts';
import { CannotOpen, secretsOf, type Secrets } from '../../../src/engine/secrets/secrets.ts';
import { bodySignature, SECRET_PREFIX, signingKeys } from '../../../src/outbound/signatures.ts';
import type { Message } from '../../../src/outbound/untrusted-http.ts';
import { attempt, deliveryRequest, keysOf } from '../../../src/processes/webhooks/attempt.ts';
import { subscriptionStream } from '../../../src/use-cases/webhooks/subscriptions.ts';
import { subscriptionRow } from '../../support/webhooks/subscription.ts';

const timestamp = '2026-03-02T12:00:00.000Z';
const clock = { now: () => timestamp };
const until = '2026-03-03T12:00:00.000Z';

const [lost, before, now] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const configured = secretsOf([now, before]);

const webhookId = randomUUID();
const secretSealedBy = (secrets: Secrets) => {
  const secret = SECRET_PREFIX + randomBytes(32).toString('base64');
  return { secret, sealedSecret: secrets.seal(secret, subscriptionStream(webhookId)) };
};

const sent = async (sealedSecret: string, previous: readonly string[]) => {
  const body = webhookBody({ event: 'building.point.updated', data: {}, timestamp });
  const event = { event: 'building.point.updated', timestamp, messageId: randomUUID(), body };
  const posted: Message[] = [];
  const untrustedHttp = {
    post: async (_: string, message: Message) => {
      posted.push(message);
      return { status: 200, body: '' };
    },
  };
  const previousSecrets = previous.map((sealed) => ({ sealedSecret: sealed, until }));
  await attempt(
    { request: deliveryRequest(event, 1), signal: new AbortController().signal },
    subscriptionRow({ webhookId, sealedSecret, previousSecrets }),
    { untrustedHttp, keys: keysOf(configured), source: 'http://atrium.test', clock },
  );
  return posted[0]!;
};

it('an attempt is signed without the previous secret whose key is lost', async () => {
  const newest = secretSealedBy(configured);
  const opened = secretSealedBy(secretsOf([before]));
  const closed = secretSealedBy(secretsOf([lost]));
  const signatureBy = (secret: string, { body }: Message) =>
    bodySignature(signingKeys(secret), body);

  const one = await sent(newest.sealedSecret, [closed.sealedSecret, opened.sealedSecret]);
  expect(one.headers['X-SVC-Signature']).toBe(signatureBy(newest.secret, one));
  expect(one.headers['X-SVC-Signature-Previous']).toBe(signatureBy(opened.secret, one));
  expect(one.headers['webhook-signature']!.split(' ')).toHaveLength(2);

  const alone = await sent(newest.sealedSecret, [closed.sealedSecret]);
  expect(alone.headers['X-SVC-Signature']).toBe(signatureBy(newest.secret, alone));
  expect(alone.headers).not.toHaveProperty('X-SVC-Signature-Previous');
  expect(alone.headers['webhook-signature']!.split(' ')).toHaveLength(1);
});

it('an attempt is not made while the key of the newest secret is missing', async () => {
  const newest = secretSealedBy(secretsOf([lost]));
  const previous = secretSealedBy(configured);
  const sending = sent(newest.sealedSecret, [previous.sealedSecret]);
  await expect(sending).rejects.toThrow(CannotOpen);
});
