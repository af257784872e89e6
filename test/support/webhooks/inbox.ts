/** A receiver of webhooks that checks them with public libraries, and keeps what it got. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { receiver, type Receiver } from '../outbound/receivers.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly key: string;
  readonly attempt: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects is the test's own
  readonly body: any;
  readonly raw: string;
}

export interface Inbox extends Receiver {
  readonly received: readonly Received[];
  /** What came with each idempotency key, once. */
  readonly once: () => ReadonlyMap<string, Received>;
  /** How it answers from now on. Default: 200. */
  answer: (response: ServerResponse, received: Received) => void;
}

export const inbox = async (): Promise<Inbox> => {
  const received: Received[] = [];
  const made = {
    received,
    once: () => new Map(received.toReversed().map((one) => [one.key, one])),
    answer: (response: ServerResponse, _received: Received): void => {
      response.end();
    },
  };
  const server = await receiver(async (request, response) => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const raw = Buffer.concat(chunks).toString();
    const { headers } = request;
    const one = {
      headers,
      raw,
      key: String(headers['x-svc-idempotency-key']),
      attempt: Number(headers['x-svc-delivery-attempt']),
      body: JSON.parse(raw),
    };
    received.push(one);
    made.answer(response, one);
  });
  return Object.assign(made, server);
};

/** Verified as in the guide for receivers: over the raw body, in constant time. */
export const isSigned = ({ raw, headers }: Received, secret: string, header: string): boolean => {
  const given = Buffer.from(String(headers[header]), 'hex');
  const right = createHmac('sha256', secret).update(raw).digest();
  return given.length === right.length && timingSafeEqual(given, right);
};

/** By the library of Standard Webhooks. @throws If it is not signed so. */
export const verifyStandard = ({ raw, headers }: Received, secret: string): unknown =>
  new Webhook(secret).verify(raw, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  });
