/** `atrium listen`. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { LiveEvent } from '../../../sdk/src/live.ts';
import { CommandFailed } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { urlOf } from '../session/server-address.ts';
import { printable } from '../terminal/text.ts';
import { toldLive } from './told-live.ts';
import { buildingOf, platformOf, type SandboxOption } from './platform.ts';

interface ListenOptions extends SandboxOption {
  readonly forwardTo: string;
  readonly building?: string;
  readonly events?: readonly string[];
  readonly secret?: string;
  readonly since?: string;
  readonly count?: number;
}

/** What webhooks deliver; the rest of what is told live stays there. */
const DELIVERED: readonly string[] = [
  'building.point.updated',
  'building.alarm.triggered',
  'building.element.status_changed',
  'building.changeset.applied',
];

/** As long as a webhook is waited for. */
const ATTEMPT_TIMEOUT_MS = 10_000;

export const listen = async (invocation: Invocation<ListenOptions>): Promise<void> => {
  const { options, terminal } = invocation;
  const { forwardTo, secret = drawnSecret(), since = null, events = DELIVERED } = options;
  if (!/^https?:$/.test(urlOf(forwardTo)?.protocol ?? ''))
    throw new CommandFailed(`not an address to post to: ${forwardTo}`);
  const unknown = events.find((event) => !DELIVERED.includes(event));
  if (unknown !== undefined)
    throw new CommandFailed(`webhooks do not tell ${unknown}, but: ${DELIVERED.join(', ')}`);
  if (!/^whsec_./.test(secret)) throw new CommandFailed('a secret begins with whsec_');
  const platform = await platformOf(invocation);
  const buildingId = await buildingOf(platform.client, options.building);

  const ready = () => {
    terminal.print({ buildingId, forwardTo, secret }, () => `The secret is ${secret}`);
    terminal.tell(`Listening to building ${buildingId}; Ctrl-C ends it.`);
  };
  // Without a position it begins when the server says so; with one, it has begun already.
  let isReady = since !== null;
  if (isReady) ready();
  let left = options.count ?? Number.POSITIVE_INFINITY;
  for await (const item of toldLive(platform, buildingId, since)) {
    if (item.resync && isReady)
      terminal.tell('More was missed than is replayed: some events are left out.');
    if (item.resync && !isReady) ready();
    isReady = true;
    if (item.resync || !events.includes(item.event)) continue;
    const outcome = await posted(forwardTo, secret, item);
    terminal.print(outcome, () => {
      const { status, error, durationMs } = outcome;
      return printable(`${item.timestamp}  ${item.event}  ${status ?? error}  ${durationMs} ms`);
    });
    left -= 1;
    if (left === 0) return;
  }
};

const drawnSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

interface Outcome {
  readonly event: string;
  readonly position: string;
  readonly idempotencyKey: string;
  /** `null`: there was no answer. */
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/** One attempt; a redirect is an answer like others, and is not followed. */
const posted = async (url: string, secret: string, told: LiveEvent): Promise<Outcome> => {
  const { event, data, timestamp, position } = told;
  const body = JSON.stringify({ event, data, timestamp });
  const headers = headersOf(secret, body, told);
  const idempotencyKey = headers['X-SVC-Idempotency-Key'];
  const began = performance.now();
  const answered = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
  }).catch((error: Error) => error);
  const durationMs = Math.round(performance.now() - began);
  if (answered instanceof Error) {
    const { message } = (answered.cause ?? answered) as Error;
    const error = `no answer: ${message}`;
    return { event, position, idempotencyKey, status: null, error, durationMs };
  }
  await answered.body?.cancel();
  return { event, position, idempotencyKey, status: answered.status, error: null, durationMs };
};

/** Those of a webhook. interface.md, Webhook delivery; Standard Webhooks. */
export const headersOf = (
  secret: string,
  body: string,
  { event, timestamp, position }: Omit<LiveEvent, 'data'>,
) => {
  // An event that is replayed has the same: what is told live has a position, and no id.
  const id = createHash('sha256').update(`${position}\n${body}`).digest('hex').slice(0, 32);
  const seconds = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'Content-Type': 'application/json',
    'X-SVC-Signature': createHmac('sha256', secret).update(body).digest('hex'),
    'X-SVC-Idempotency-Key': `${id}:${event}:${Date.parse(timestamp)}`,
    'X-SVC-Delivery-Attempt': '1',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  };
};
