/** One attempt to deliver an event to the receiver of `atrium listen`, as webhooks are posted. */
import { createHash, createHmac } from 'node:crypto';
import type { LiveEvent } from '../../../sdk/src/live.ts';

/** As long as a webhook is waited for. */
const ATTEMPT_TIMEOUT_MS = 10_000;

export interface Attempt {
  readonly event: string;
  readonly position: string;
  readonly idempotencyKey: string;
  /** From 1. */
  readonly attempt: number;
  /** `null`: there was no answer. */
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

export interface Receiver {
  readonly url: string;
  readonly secret: string;
}

/**
 * A redirect is an answer like others, and is not followed.
 *
 * @param source The address of the platform.
 * @param signal Ends the attempt, as one without an answer.
 */
export const post = async (
  { url, secret }: Receiver,
  source: string,
  item: LiveEvent,
  attempt: number,
  signal: AbortSignal,
): Promise<Attempt> => {
  const { event, data, timestamp, position } = item;
  const body = JSON.stringify({ event, data, timestamp });
  const signed = headersOf(secret, body, item, attempt);
  const idempotencyKey = signed['X-SVC-Idempotency-Key'];
  const headers = {
    ...signed,
    // The event by CloudEvents, as webhooks have it.
    'ce-specversion': '1.0',
    'ce-id': signed['webhook-id'],
    'ce-source': source,
    'ce-type': event,
    'ce-time': timestamp,
    'ce-subject': String(data.buildingId),
  };
  const began = performance.now();
  const answered = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
  }).catch((error: Error) => error);
  const durationMs = Math.round(performance.now() - began);
  const made = { event, position, idempotencyKey, attempt, durationMs };
  if (answered instanceof Error) {
    const { message } = (answered.cause ?? answered) as Error;
    return { ...made, status: null, error: `no answer: ${message}` };
  }
  await answered.body?.cancel();
  return { ...made, status: answered.status, error: null };
};

/** Those of a webhook. interface.md, Webhook delivery; Standard Webhooks. */
const headersOf = (
  secret: string,
  body: string,
  { event, timestamp, position }: Omit<LiveEvent, 'data'>,
  attempt: number,
) => {
  // A live event has a position and no id: derived, so that a replayed event has the same one.
  const id = createHash('sha256').update(`${position}\n${body}`).digest('hex').slice(0, 32);
  const seconds = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'Content-Type': 'application/json',
    'X-SVC-Signature': createHmac('sha256', secret).update(body).digest('hex'),
    'X-SVC-Idempotency-Key': `${id}:${event}:${Date.parse(timestamp)}`,
    'X-SVC-Delivery-Attempt': String(attempt),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  };
};
